import type { Random } from '@deadheat/stats';

/** A seed from two draws. `createRandom` of it gives the same stream as often as wanted, which `split` cannot. */
export const drawSeed = (random: Random): bigint => (BigInt(random.uint32()) << 32n) | BigInt(random.uint32());
