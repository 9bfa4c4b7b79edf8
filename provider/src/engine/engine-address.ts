/**
 * Finds the engine's address in the arguments that Pulumi passes to a provider. With `--logflow` and `--tracing`,
 * options precede the address, as in parseArgs of Pulumi's SDK (provider/internals.ts, not exported).
 */
export function parseEngineAddress(args: readonly string[]): string | undefined {
    return args.find((argument, index) => !argument.startsWith("-") && args[index - 1] !== "--tracing");
}
