import { createRequire } from "node:module";
import { parseUrn, type ResourceIdentity } from "@pulumi-static-export/contract";

/** The Pulumi messages that this file uses. */
interface Struct {
    toJavaScript(): Record<string, unknown>;
}

interface Request {
    getUrn(): string;
}

type Getter = (this: Request) => Struct | undefined;

interface ProviderMessages {
    CreateRequest: { prototype: Request & { getProperties: Getter } };
    UpdateRequest: { prototype: Request & { getNews: Getter } };
}

/**
 * Determines the resource of a dynamic provider's call. Measured with engine 3.259 and SDK 3.245: PULUMI_PROJECT
 * contains the project, and the engine, whose address is the process's argument, reports the stack (`GetRootResource`).
 * The name of the resource is in neither the configuration, the environment nor the inputs, and an additional input
 * would cause a diff in every state. Only the engine's requests contain the name, in their URN, which Pulumi's host of
 * dynamic providers drops before it calls the provider. Therefore this class remembers the URN of each request together
 * with the inputs that the host takes from the request.
 */
export class RequestIdentities {
    readonly #urns = new WeakMap<object, string>();

    /**
     * Starts listening to the requests that the host of this process reads.
     *
     * @param hostScript - the host's script, as in `process.argv[1]`; with any other script, listens to nothing
     */
    listen(hostScript: string | undefined): void {
        const messages = hostScript === undefined ? undefined : loadMessages(hostScript);
        if (messages !== undefined) {
            const { CreateRequest, UpdateRequest } = messages;
            CreateRequest.prototype.getProperties = this.#remembering(CreateRequest.prototype.getProperties);
            UpdateRequest.prototype.getNews = this.#remembering(UpdateRequest.prototype.getNews);
        }
    }

    /** @param inputs - as passed to the provider; undefined if they did not come with a request */
    of(inputs: object): ResourceIdentity | undefined {
        const urn = this.#urns.get(inputs);
        return urn === undefined ? undefined : parseUrn(urn);
    }

    #remembering(original: Getter): Getter {
        const urns = this.#urns;
        return function (this: Request) {
            const struct = original.call(this);
            if (struct === undefined) {
                return struct;
            }
            const urn = this.getUrn();
            return Object.assign(Object.create(struct) as Struct, {
                toJavaScript: () => {
                    const inputs = struct.toJavaScript();
                    urns.set(inputs, urn);
                    return inputs;
                },
            });
        };
    }
}

/**
 * Loads the messages from the host's own SDK, because a program may have two SDKs. Undefined if the process is not a
 * host of dynamic providers.
 */
function loadMessages(hostScript: string): ProviderMessages | undefined {
    if (!/[\\/]cmd[\\/]dynamic-provider[\\/]index\.js$/.test(hostScript)) {
        return undefined;
    }
    try {
        return createRequire(hostScript)("../../proto/provider_pb.js") as ProviderMessages;
    } catch {
        // The SDK has another layout, so only the journal can find jobs.
        return undefined;
    }
}
