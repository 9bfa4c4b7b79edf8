import { AdminClient } from "@pulumi-static-export/sdk";
import { EngineWatch } from "../../../provider/src/host/engine-watch.js";
import { type EarlierCopies } from "../../../provider/src/bundle-mirror/earlier-copies.js";
import { MirrorLifecycle, type MirrorRuntime } from "../../../provider/src/bundle-mirror/lifecycle.js";
import type { MirrorInputs, MirrorState } from "../../../provider/src/bundle-mirror/model.js";
import type { StorageCredentials } from "../../../provider/src/bundle-mirror/storage/storage-credentials.js";
import { Storage } from "../../../provider/src/bundle-mirror/storage/storage.js";
import { FakeClock } from "../support/fake-clock.js";
import { PlatformServer } from "./platform-server.js";
import { bucket, credentials, S3Server } from "./s3-server.js";

/** A mirror's lifecycle between a platform and a storage that are both really there. */
export class MirrorFixture {
    readonly clock = new FakeClock();
    readonly lines: string[] = [];
    readonly inputs: MirrorInputs;
    readonly lifecycle: MirrorLifecycle;
    /** What the stack's configuration holds. */
    credentials: StorageCredentials | undefined = credentials;
    opened = 0;

    private constructor(
        readonly platform: PlatformServer,
        readonly s3: S3Server,
    ) {
        this.inputs = { jobId: "se_42", bucket, endpoint: s3.endpoint };
        this.lifecycle = this.createLifecycle();
    }

    /** That of a stack of its own. */
    createLifecycle(earlier?: EarlierCopies): MirrorLifecycle {
        const { url: baseUrl } = this.platform;
        const runtime: MirrorRuntime = {
            connect: () => ({ client: new AdminClient({ baseUrl, adminApiKey: "test_0123456789" }) }),
            openStorage: (inputs) => {
                this.opened += 1;
                return Storage.open(inputs, this.credentials);
            },
            engine: new EngineWatch(undefined),
            clock: this.clock,
            log: (line) => this.lines.push(line),
            signal: new AbortController().signal,
        };
        return new MirrorLifecycle(runtime, undefined, earlier);
    }

    static async start(): Promise<MirrorFixture> {
        return new MirrorFixture(await PlatformServer.start(), await S3Server.start());
    }

    async create(changes: Partial<MirrorInputs> = {}): Promise<MirrorState> {
        return (await this.lifecycle.create({ ...this.inputs, ...changes })).outs as MirrorState;
    }

    /** The failure of a create, as text that a user sees. */
    async failure(changes: Partial<MirrorInputs> = {}): Promise<string> {
        return this.create(changes).then(
            () => {
                throw new Error("the mirror was made");
            },
            (error: Error) => error.message,
        );
    }

    async stop(): Promise<void> {
        this.platform.stop();
        await this.s3.stop();
    }
}
