import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AdminClient } from "@pulumi-static-export/sdk";
import { EngineWatch } from "../../../provider/src/engine/engine-watch.js";
import { type EarlierCopies } from "../../../provider/src/bundle-mirror/earlier-copies.js";
import { MirrorLifecycle, type MirrorRuntime } from "../../../provider/src/bundle-mirror/lifecycle.js";
import { Journal } from "../../../provider/src/engine/journal/journal.js";
import type { MirrorInputs, MirrorState } from "../../../provider/src/bundle-mirror/model.js";
import type { BucketCredentials } from "../../../sdk/src/publish/index.js";
import { Storage } from "../../../provider/src/bundle-mirror/storage/storage.js";
import { FakeClock } from "../../fake-clock.js";
import { PlatformServer } from "./platform-server.js";
import { bucket, credentials, S3Server } from "./s3-server.js";

/** A mirror's lifecycle with a real platform server and a real S3 server. */
export class MirrorFixture {
    readonly clock = new FakeClock();
    readonly lines: string[] = [];
    readonly inputs: MirrorInputs;
    readonly lifecycle: MirrorLifecycle;
    /** The stack's configuration. */
    credentials: BucketCredentials | undefined = credentials;
    opened = 0;
    readonly journalFolder = mkdtempSync(join(tmpdir(), "static-export-journal-"));

    private constructor(
        readonly platform: PlatformServer,
        readonly s3: S3Server,
    ) {
        this.inputs = { jobId: "se_42", bucket, endpoint: s3.endpoint };
        this.lifecycle = this.createLifecycle();
    }

    /** Creates the lifecycle of another process. */
    createLifecycle(earlier?: EarlierCopies, journal = this.openJournal()): MirrorLifecycle {
        const { url: baseUrl } = this.platform;
        const runtime: MirrorRuntime = {
            connect: () => ({ client: new AdminClient({ baseUrl, adminApiKey: "test_0123456789" }) }),
            openStorage: (inputs) => {
                this.opened += 1;
                return Storage.open(inputs, this.credentials);
            },
            engine: new EngineWatch(undefined),
            journal,
            clock: this.clock,
            log: (line) => this.lines.push(line),
            signal: new AbortController().signal,
        };
        return new MirrorLifecycle(runtime, undefined, earlier);
    }

    openJournal(): Journal {
        return new Journal(this.journalFolder, { report: (problem) => this.lines.push(problem) });
    }

    static async start(): Promise<MirrorFixture> {
        return new MirrorFixture(await PlatformServer.start(), await S3Server.start());
    }

    async create(changes: Partial<MirrorInputs> = {}): Promise<MirrorState> {
        return (await this.lifecycle.create({ ...this.inputs, ...changes })).outs as MirrorState;
    }

    /** Expects create to fail, and returns the error as a user sees it. */
    async failure(changes: Partial<MirrorInputs> = {}): Promise<string> {
        return this.create(changes).then(
            () => {
                throw new Error("the mirror was made");
            },
            (error: Error) => error.message,
        );
    }

    async stop(): Promise<void> {
        rmSync(this.journalFolder, { recursive: true, force: true });
        this.platform.stop();
        await this.s3.stop();
    }
}
