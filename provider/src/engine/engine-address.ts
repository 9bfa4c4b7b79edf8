/**
 * Finds the engine's address in the arguments with which Pulumi starts a provider. With `--logflow` and `--tracing`,
 * options come before it, as parseArgs of Pulumi's SDK reads them (provider/internals.ts, not exported).
 */
export function parseEngineAddress(args: readonly string[]): string | undefined {
    return args.find((argument, index) => !argument.startsWith("-") && args[index - 1] !== "--tracing");
}
