import { defineConfig } from 'vitest/config';

export default defineConfig({ test: { benchmark: { provider: '@deadheat/vitest/provider' } } });
