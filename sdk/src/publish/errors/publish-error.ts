/** A site cannot be published. The message says what to do. */
export class PublishError extends Error {
    override readonly name: string = "PublishError";
}

/** Another run has written the record in the meantime. */
export class RecordChangedError extends PublishError {
    override readonly name = "RecordChangedError";

    constructor(address: string) {
        super(
            `${address}: another run is publishing to the same place and has taken over. Nothing is lost: ` +
                "publish again when the other run has ended.",
        );
    }
}
