/** Adds the log of a service to the error of a spec, because its processes and pods are gone when anybody reads it. */
export async function withLog<T>(service: { log(): Promise<string> }, act: () => Promise<T>): Promise<T> {
    try {
        return await act();
    } catch (error) {
        const { stderr, stack = String(error) } = error as { stderr?: string; stack?: string };
        throw new Error([stack, stderr, await service.log().catch(String)].filter(Boolean).join("\n"), {
            cause: error,
        });
    }
}
