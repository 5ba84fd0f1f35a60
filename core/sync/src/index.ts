export { createAgentBarrier, removeAgentBarrier } from './agent-barrier.ts';
export { getAffinity, setAffinity, setProcessAffinity } from './affinity.ts';
export { Barrier, type ArriveOptions, type WaitPolicy } from './barrier.ts';
export { openCpuClocks, longestTimerMs, monotonicNowNs, sincePageClockMs } from './clocks.ts';
export type { CpuClocks } from './clocks.ts';
export { Guardian, hookPatienceMs } from './guardian/guardian.ts';
export { makeMark } from './owner.ts';
export {
  helperEnvironment,
  observeTasks,
  observeWrites,
  processesBelow,
  descendants,
  kill,
  endAll,
  killDescendants,
  parentOf,
  stoppedBelow,
} from './processes.ts';
export type { TaskObservation, EndSignal } from './processes.ts';
export { Launcher } from './launcher/launcher.ts';
export type { ExecuteReply, ExecuteRequest, Execution, LatchFiles, ProgramRequest } from './launcher/messages.ts';
export { counterObstacles, type CounterName } from './launcher/program-counters.ts';
export { maximumPadBytes } from './launcher/program-image.ts';
export { hasNativeCalls } from './libc.ts';
export {
  decision,
  packDecision,
  pageBytes,
  pageFields,
  pageMagic,
  pageVersion,
  poison,
  resolveDecision,
  sideState,
  word,
  type PageField,
} from './page-layout.ts';
export {
  createPage,
  createUnnamedPage,
  openPage,
  removeAbandonedPages,
  removePage,
  sharedMemoryDirectory,
} from './page.ts';
export type { Page, UnnamedPage } from './page.ts';
export { SyncError, type SyncErrorCode } from './sync-error.ts';
