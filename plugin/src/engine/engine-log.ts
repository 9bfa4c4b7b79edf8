import { credentials } from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb.js";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb.js";

/** Shows each log line at its resource, in the order of writing. */
export class EngineLog {
    #client: EngineClient | undefined;
    #sent: Promise<void> = Promise.resolve();

    /** @param address - of the engine; without it, lines go to standard error until an engine attaches */
    constructor(address: string | undefined) {
        if (address !== undefined) {
            this.attach(address);
        }
    }

    attach(address: string): void {
        this.#client?.close();
        this.#client = new EngineClient(address, credentials.createInsecure());
    }

    /** @param urn - of the resource; "" for the stack */
    info(urn: string, message: string): void {
        const request = new LogRequest();
        request.setSeverity(LogSeverity.INFO);
        request.setUrn(urn);
        request.setMessage(message);
        const client = this.#client;
        if (client === undefined) {
            process.stderr.write(`${message}\n`);
            return;
        }
        // If the engine has exited, it cannot show the line, but the call must not fail.
        this.#sent = this.#sent.then(() => new Promise((resolve) => client.log(request, () => resolve())));
    }

    /** Resolves when the engine has received every line, so that the engine shows all lines before the result. */
    flush(): Promise<void> {
        return this.#sent;
    }
}
