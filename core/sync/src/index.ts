export { createAgentBarrier } from './agent-barrier.ts';
export { getAffinity, setAffinity, setProcessAffinity } from './affinity.ts';
export { Barrier, type WaitPolicy } from './barrier.ts';
export { openCpuClocks, longestTimerMs, monotonicNowNs, sincePageClockMs } from './clocks.ts';
export { Guardian, hookPatienceMs } from './guardian/guardian.ts';
export { forget, makeMark, makeTemporaryFolder, register, removeRegistered, sweepLedgers } from './ledger.ts';
export { holderOf, isLock, takeLock, type FileLock } from './file-lock.ts';
export { isOwn, isRunning, ownHolder, parseHolder, type Holder } from './holder.ts';
export {
  helperEnvironment,
  observeTasks,
  observeWrites,
  openFiles,
  processesBelow,
  descendants,
  endAll,
  parentOf,
  stoppedBelow,
  type TaskObservation,
  type EndSignal,
} from './processes.ts';
export { Launcher } from './launcher/launcher.ts';
export type { ExecuteReply, Execution, LatchFiles } from './launcher/messages.ts';
export { counterObstacles } from './launcher/program-counters.ts';
export { hasNativeCalls } from './libc.ts';
export {
  decision,
  packDecision,
  pageBytes,
  pageMagic,
  pageVersion,
  poison,
  resolveDecision,
  sideState,
  word,
} from './page-layout.ts';
export { createPage, createUnnamedPage, openPage, removePage, sharedMemoryDirectory, type Page } from './page.ts';
export { SyncError } from './sync-error.ts';
