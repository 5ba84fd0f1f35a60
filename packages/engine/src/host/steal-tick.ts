/** Step of the steal counters: /proc/stat counts in USER_HZ, 100 a second on every architecture Node runs on (proc(5)). */
export const stealTickNs = 10_000_000;
