import { mkdirSync, rmSync } from 'node:fs';
import { startPostgres } from '../lib/postgres.js';
import { fillPlaces } from '../store/fill-places.js';
const [,, folder, commits, benchmarks] = process.argv;
rmSync(folder, {recursive:true, force:true}); mkdirSync(folder, {recursive:true});
const server = startPostgres();
console.log(server.url());
await fillPlaces({ commits: Number(commits), benchmarks: Number(benchmarks), folder, server });
console.log('filled', server.folder);
