export { ContainerEngine, ContainerError, findContainerEngine, inspectImages } from './container/container-engine.ts';
export { ContainerExecutor } from './container/container-executor.ts';
export { type LabelledContainer, listLabelledContainers, removeContainers } from './container/leftover-containers.ts';
export { signalName } from './describe-failure.ts';
export type { Ending, Executor, RunOutcome, RunRequest, SelfTimed, SideOutcome, Steering } from './executor.ts';
export { FakeExecutor } from './fake/fake-executor.ts';
export { runArtifact } from './hooks.ts';
export { NativeExecutor } from './native/native-executor.ts';
export { PortableExecutor } from './portable/portable-executor.ts';
