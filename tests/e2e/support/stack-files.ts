import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { PassphraseCrypter } from "../../../cli/src/redaction/pulumi/passphrase-crypter.js";
import { parse, stringify } from "yaml";

export interface StackSettings {
    config?: Record<string, string>;
    /** Written encrypted. */
    secret?: Record<string, string>;
}

interface StackConfiguration {
    encryptionsalt: string;
    config?: Record<string, string | { secure: string }>;
}

export interface Checkpoint {
    secrets_providers: { state: { salt: string } };
    resources?: {
        type: string;
        id: string;
        inputs: Record<string, unknown>;
        outputs: Record<string, unknown>;
    }[];
}

/** All stacks of a process share one passphrase, because deriving its key takes half a second. */
const crypters = new Map<string, PassphraseCrypter>();

/** Pulumi marks a secret in a state with this key and value. */
const [secretKey, secretValue] = ["4dabf18193072939515e22adb298388d", "1b47061264138c4ac30d75fd1eb44270"];

/**
 * The configuration and the state of the stack `dev` as the engine stores them in files. Reading and writing the files
 * directly avoids an engine process, which takes a second on one core.
 */
export class StackFiles {
    private constructor(
        private readonly folder: string,
        private readonly project: string,
        private readonly passphrase: string,
    ) {}

    /**
     * Creates the files that `pulumi stack init dev` creates.
     * @param folder - of the project; its state is in `state`, its PULUMI_HOME in `home`
     */
    static async create(folder: string, passphrase: string): Promise<StackFiles> {
        const projectFile = join(folder, "Pulumi.yaml");
        const { name } = parse(await readFile(projectFile, "utf8")) as { name: string };
        const crypter = crypters.get(passphrase) ?? PassphraseCrypter.create(passphrase);
        crypters.set(passphrase, crypter);
        const stack = `organization/${name}/dev`;
        const backend = join(folder, "state");
        const selected = `${name}-${createHash("sha1").update(projectFile).digest("hex")}-workspace.json`;
        const files = {
            [join(backend, ".pulumi", "meta.yaml")]: "version: 1\n",
            [join(backend, ".pulumi", "stacks", name, "dev.json")]: JSON.stringify({
                version: 3,
                checkpoint: { stack },
            }),
            [join(folder, "home", "workspaces", selected)]: JSON.stringify({
                stacks: { [`file://${backend}`]: stack },
            }),
            [join(folder, "Pulumi.dev.yaml")]: stringify({ encryptionsalt: crypter.salt }),
        };
        for (const [file, text] of Object.entries(files)) {
            await mkdir(dirname(file), { recursive: true });
            await writeFile(file, text);
        }
        return new StackFiles(folder, name, passphrase);
    }

    async configure({ config = {}, secret = {} }: StackSettings): Promise<void> {
        await this.#changeConfiguration((values, { encrypt }) => {
            for (const [key, value] of Object.entries(config)) {
                values[this.#fullName(key)] = value;
            }
            for (const [key, value] of Object.entries(secret)) {
                values[this.#fullName(key)] = { secure: encrypt(value) };
            }
        });
    }

    async removeConfig(...keys: readonly string[]): Promise<void> {
        await this.#changeConfiguration((values) => {
            for (const key of keys) {
                delete values[this.#fullName(key)];
            }
        });
    }

    /** Returns undefined before the first update. */
    async checkpoint(): Promise<Checkpoint | undefined> {
        const file = join(this.folder, "state", ".pulumi", "stacks", this.project, "dev.json");
        const { checkpoint } = JSON.parse(await readFile(file, "utf8")) as { checkpoint: { latest?: Checkpoint } };
        return checkpoint.latest;
    }

    /** Reads and decrypts an output of the program. */
    async output(name: string): Promise<unknown> {
        const checkpoint = await this.checkpoint();
        const stack = checkpoint?.resources?.find(({ type }) => type === "pulumi:pulumi:Stack");
        return checkpoint && this.#decrypted(stack?.outputs[name], this.#open(checkpoint.secrets_providers.state.salt));
    }

    #decrypted(value: unknown, crypter: PassphraseCrypter): unknown {
        if (Array.isArray(value)) {
            return value.map((each) => this.#decrypted(each, crypter));
        }
        if (typeof value !== "object" || value === null) {
            return value;
        }
        if ((value as Record<string, unknown>)[secretKey] === secretValue) {
            const { ciphertext } = value as { ciphertext: string };
            return this.#decrypted(JSON.parse(crypter.decrypt(ciphertext) ?? ""), crypter);
        }
        return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, this.#decrypted(each, crypter)]));
    }

    async #changeConfiguration(
        change: (values: NonNullable<StackConfiguration["config"]>, crypter: { encrypt(text: string): string }) => void,
    ): Promise<void> {
        const file = join(this.folder, "Pulumi.dev.yaml");
        const { config = {}, ...rest } = parse(await readFile(file, "utf8")) as StackConfiguration;
        const crypter = this.#open(rest.encryptionsalt);
        change(config, { encrypt: (text) => crypter.encrypt(text) });
        await writeFile(file, stringify({ ...rest, config }, { lineWidth: 0 }));
    }

    #open(salt: string): PassphraseCrypter {
        const crypter = PassphraseCrypter.open(this.passphrase, salt);
        if (crypter === undefined) {
            throw new Error("The stack has another passphrase.");
        }
        return crypter;
    }

    /** A name without a namespace belongs to the program. */
    #fullName(key: string): string {
        return key.includes(":") ? key : `${this.project}:${key}`;
    }
}
