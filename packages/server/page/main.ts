import { followFleet } from './follow-fleet.ts';

followFleet();
