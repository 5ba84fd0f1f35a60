#!/usr/bin/env node
await import('@deadheat/cli/command');
