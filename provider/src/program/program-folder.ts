/**
 * The folder that Pulumi runs this program and its providers in. Undefined in an inline program of the Automation API
 * and in specs with mocks: there the providers may run elsewhere.
 */
export function programFolder(): string | undefined {
    const main = require.main?.filename ?? process.argv[1] ?? "";
    return /@pulumi[\\/]pulumi[\\/]cmd[\\/]run/.test(main) ? process.cwd() : undefined;
}
