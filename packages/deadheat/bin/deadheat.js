#!/usr/bin/env node
import '@deadheat/cli/command';
