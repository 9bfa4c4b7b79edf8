/** A failed export. The message is shown to the client; the detail goes only to the service's log. */
export class ExportError extends Error {
    override readonly name = "ExportError";
    readonly detail: string | undefined;

    constructor(message: string, detail?: string) {
        super(message);
        this.detail = detail;
    }
}
