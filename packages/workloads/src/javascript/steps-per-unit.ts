/**
 * Steps in one unit of amount, in every workload and language. What a step is: {@link workloads}. Small enough for 3 %
 * of a millisecond of the slowest workload, large enough that amounts fit in 32 bits.
 */
export const stepsPerUnit = 100;
