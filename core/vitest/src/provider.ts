// oxlint-disable-next-line no-default-export -- vitest loads a provider by it.
export { default } from '@deadheat/harness/vitest/provider';
