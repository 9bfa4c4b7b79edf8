/** An export that failed. The message is shown to whoever started the job; the detail goes to the service's log alone. */
export class ExportError extends Error {
    override readonly name = "ExportError";
    readonly detail: string | undefined;

    constructor(message: string, detail?: string) {
        super(message);
        this.detail = detail;
    }
}
