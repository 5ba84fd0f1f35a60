export type { Executor, HookName, RunOutcome, RunRequest, SelfTimed, SideOutcome } from './executor.ts';
export { FakeExecutor, type FakeExecution } from './fake/fake-executor.ts';
export { NativeExecutor } from './native/native-executor.ts';
export { PortableExecutor } from './portable/portable-executor.ts';
export { runArtifact } from './run-artifact.ts';
export { signalName } from './describe-failure.ts';
