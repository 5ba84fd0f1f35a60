// Without it vitest would find the configuration of the repository.
export default {};
