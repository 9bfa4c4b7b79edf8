import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { Agent } from "node:https";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import {
    CreateBucketCommand,
    DeleteObjectsCommand,
    GetObjectCommand,
    HeadBucketCommand,
    ListObjectsV2Command,
    PutBucketPolicyCommand,
    S3Client,
} from "@aws-sdk/client-s3";
import { ensureTool, freePort, hostInUrl } from "@pulumi-static-export/toolchain";
import type { PrivateCertificate } from "../../charts/support/private-certificate.js";

export const credentials = { accessKeyId: "mirror-spec", secretAccessKey: "s3cr3t-of-the-mirror-spec" };
export const bucket = "docs-bundles";

/** The environment variables for the AWS SDK in another process. */
export const credentialVariables = {
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
};

/** Sets the credentials in this process's environment. @returns a function that restores the environment */
export function setCredentials(): () => void {
    const earlier = { ...process.env };
    Object.assign(process.env, credentialVariables);
    return () => {
        for (const name of Object.keys(credentialVariables)) {
            if (earlier[name] === undefined) {
                delete process.env[name];
            } else {
                process.env[name] = earlier[name];
            }
        }
    };
}

/**
 * Runs one server for the specs of a suite, and empties it after each spec. During the suite, the process's environment
 * contains the server's credentials.
 */
export function useS3Server(): () => S3Server {
    let restoreEnvironment: () => void;
    let server: S3Server;
    before(async () => {
        restoreEnvironment = setCredentials();
        server = await S3Server.start();
    });
    afterEach(() => server.clear());
    after(async () => {
        restoreEnvironment();
        await server.stop();
    });
    return () => server;
}

/** A real S3 server with one bucket in a new folder, on loopback or another address of this machine. */
export class S3Server {
    readonly client: S3Client;
    readonly endpoint: string;
    readonly #program: string;
    readonly #folder: string;
    readonly #address: string;
    readonly #certificate: PrivateCertificate | undefined;
    #process: ChildProcess | undefined;

    private constructor(program: string, folder: string, address: string, certificate?: PrivateCertificate) {
        this.#program = program;
        this.#folder = folder;
        this.#address = address;
        this.#certificate = certificate;
        this.endpoint = `${certificate === undefined ? "http" : "https"}://${address}`;
        this.client = new S3Client({
            endpoint: this.endpoint,
            // Passes a copy, because the SDK stores the source of the credentials in the object.
            credentials: { ...credentials },
            region: "us-east-1",
            forcePathStyle: true,
            requestHandler: certificate === undefined ? {} : { httpsAgent: new Agent({ ca: certificate.cert }) },
        });
    }

    /** @param certificate - for serving over HTTPS */
    static async start(host = "127.0.0.1", certificate?: PrivateCertificate): Promise<S3Server> {
        const program = await ensureTool("versitygw");
        const folder = await mkdtemp(path.join(tmpdir(), "s3-server-"));
        await mkdir(path.join(folder, "users"));
        await mkdir(path.join(folder, "buckets"));
        const server = new S3Server(program, folder, `${hostInUrl(host)}:${await freePort(host)}`, certificate);
        try {
            await server.resume();
            await server.client.send(new CreateBucketCommand({ Bucket: bucket }));
        } catch (error) {
            await server.stop();
            throw error;
        }
        return server;
    }

    get processId(): number {
        return this.#process!.pid!;
    }

    /** Starts the server again after `kill`. */
    async resume(): Promise<void> {
        const [users, buckets] = [path.join(this.#folder, "users"), path.join(this.#folder, "buckets")];
        const { file = "", keyFile = "" } = this.#certificate ?? {};
        const tls = this.#certificate === undefined ? [] : ["--cert", file, "--key", keyFile];
        // Unlike other S3 servers, this server does not keep connections alive by default.
        const connections = ["--port", this.#address, ...tls, "--keep-alive"];
        const serving = [...connections, "--quiet", "--iam-dir", users, "posix", buckets];
        this.#process = spawn(this.#program, serving, {
            stdio: "ignore",
            env: { ROOT_ACCESS_KEY: credentials.accessKeyId, ROOT_SECRET_KEY: credentials.secretAccessKey },
        });
        await this.#untilReady();
    }

    async kill(): Promise<void> {
        const server = this.#process;
        if (server !== undefined && server.exitCode === null && server.signalCode === null) {
            const ended = once(server, "close");
            server.kill("SIGKILL");
            await ended;
        }
    }

    async stop(): Promise<void> {
        this.client.destroy();
        await this.kill();
        await rm(this.#folder, { recursive: true, force: true });
    }

    /** Adds a user with only these permissions. */
    async addUser(keys: typeof credentials, actions: readonly string[]): Promise<void> {
        const root = ["--access", credentials.accessKeyId, "--secret", credentials.secretAccessKey];
        const user = ["--access", keys.accessKeyId, "--secret", keys.secretAccessKey, "--role", "user"];
        const command = ["admin", ...root, "--endpoint-url", this.endpoint, "create-user", ...user];
        await promisify(execFile)(this.#program, command);
        const Statement = actions.map((Action) => ({
            Effect: "Allow",
            Principal: { AWS: [keys.accessKeyId] },
            Action,
            Resource: `arn:aws:s3:::${bucket}${Action.startsWith("s3:ListBucket") ? "" : "/*"}`,
        }));
        const Policy = JSON.stringify({ Version: "2012-10-17", Statement });
        await this.client.send(new PutBucketPolicyCommand({ Bucket: bucket, Policy }));
    }

    /** Lets requests without a signature read all objects. */
    async admitEverybody(): Promise<void> {
        const Resource = `arn:aws:s3:::${bucket}/*`;
        const Statement = [{ Effect: "Allow", Principal: "*", Action: ["s3:GetObject"], Resource }];
        const Policy = JSON.stringify({ Version: "2012-10-17", Statement });
        await this.client.send(new PutBucketPolicyCommand({ Bucket: bucket, Policy }));
    }

    async keys(): Promise<string[]> {
        const { Contents = [] } = await this.client.send(new ListObjectsV2Command({ Bucket: bucket }));
        return Contents.map(({ Key }) => String(Key)).sort();
    }

    /** Lists the digests of a service's bundles below a prefix. */
    async bundles(prefix: string): Promise<string[]> {
        const folder = `${prefix}/bundles/`;
        const keys = (await this.keys()).filter((key) => key.startsWith(folder));
        return keys.map((key) => key.replace(folder, "").replace(".tar.gz", ""));
    }

    /** Removes every object. */
    async clear(): Promise<void> {
        // A listing has at most a thousand keys.
        for (let keys = await this.keys(); keys.length > 0; keys = await this.keys()) {
            const Objects = keys.map((Key) => ({ Key }));
            await this.client.send(new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects } }));
        }
    }

    async read(key: string): Promise<Buffer> {
        const { Body } = await this.client.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
        return Buffer.from((await Body?.transformToByteArray()) ?? []);
    }

    /** The server prints nothing when it listens, so this method polls the server a limited number of times. */
    async #untilReady(): Promise<void> {
        for (let attempt = 0; attempt < 3000; attempt++) {
            const asked = this.client.send(new HeadBucketCommand({ Bucket: bucket }));
            const error = await asked.then(() => undefined, String);
            if (error === undefined || /NotFound|NoSuchBucket/.test(error)) {
                return;
            }
            await new Promise((resolve) => setTimeout(resolve, 20));
        }
        throw new Error("the S3 server does not answer");
    }
}
