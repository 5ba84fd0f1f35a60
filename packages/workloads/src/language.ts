/** Languages in which workloads and the load are there. */
export const languages = ['js', 'c'] as const;
export type Language = (typeof languages)[number];
