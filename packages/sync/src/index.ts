export { createAgentBarrier, removeAgentBarrier } from './agent-barrier.ts';
export { getAffinity, setAffinity, setProcessAffinity } from './affinity.ts';
export { Barrier, type ArriveOptions, type WaitPolicy } from './barrier.ts';
export { openCpuClocks, type CpuClocks } from './cpu-clocks.ts';
export { Guardian } from './guardian/guardian.ts';
export { helperEnvironment } from './helper-environment.ts';
export { Launcher } from './launcher/launcher.ts';
export type { ExecuteReply, ExecuteRequest, Execution, GateFiles, ProgramRequest } from './launcher/messages.ts';
export { maximumPadBytes } from './launcher/program-image.ts';
export { hasNativeCalls } from './libc.ts';
export { longestTimerMs } from './longest-timer.ts';
export { monotonicNowNs } from './monotonic-clock.ts';
export { observeTasks, processesBelow, type TaskObservation } from './observe-tasks.ts';
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
export { sincePageClockMs } from './page-clock.ts';
export { createPage, openPage, removePage, type Page } from './page.ts';
export { descendants, kill, killDescendants, parentOf, type EndSignal } from './process-tree.ts';
export { sharedMemoryDirectory } from './shared-memory-directory.ts';
export { SyncError, type SyncErrorCode } from './sync-error.ts';
