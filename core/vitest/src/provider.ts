import { createProvider } from '@deadheat/harness/vitest/provider';
import { inOtherProcesses } from './in-other-processes.ts';

/** The provider of vitest 5 that measures `bench.compare` in pairs of processes, where it can. */
const provider: ReturnType<typeof createProvider> = createProvider(inOtherProcesses);
// oxlint-disable-next-line no-default-export -- vitest loads a provider by it.
export default provider;
