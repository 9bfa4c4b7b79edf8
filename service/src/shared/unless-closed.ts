/**
 * @throws like `start`, or an AbortError if the process was closed meanwhile, because the start then fails in a part that
 * is closed
 */
export async function unlessClosed<T>(start: Promise<T>, closing: AbortSignal): Promise<T> {
    try {
        return await start;
    } catch (error) {
        closing.throwIfAborted();
        throw error;
    }
}
