/**
 * The folder in which Pulumi runs this program and its providers. Undefined in inline programs of the Automation API
 * and in specs with mocks, where providers may run elsewhere.
 */
export function programFolder(): string | undefined {
    const main = require.main?.filename ?? process.argv[1] ?? "";
    return /@pulumi[\\/]pulumi[\\/]cmd[\\/]run/.test(main) ? process.cwd() : undefined;
}
