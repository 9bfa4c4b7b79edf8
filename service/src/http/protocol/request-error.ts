/** A rejected request, with the status and message for the client. */
export class RequestError extends Error {
    override readonly name = "RequestError";
    readonly statusCode: number;

    constructor(statusCode: 400 | 401 | 403 | 404 | 409 | 416 | 422 | 429, message: string) {
        super(message);
        this.statusCode = statusCode;
    }
}
