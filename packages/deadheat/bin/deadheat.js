#!/usr/bin/env node
import { main } from '@deadheat/cli';

process.exitCode = await main(process.argv.slice(2));
