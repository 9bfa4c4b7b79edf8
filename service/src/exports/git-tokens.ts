import { isLoopback } from "../shared/is-loopback.js";
import { ServiceOptionsError } from "../shared/service-options-error.js";

/** The tokens by the origins to which they may be sent. @throws ServiceOptionsError; the message contains no token */
export function resolveGitTokens(tokens: Readonly<Record<string, string>> = {}): Map<string, string> {
    return new Map(
        Object.entries(tokens).map(([address, token]) => {
            const url = URL.canParse(address) ? new URL(address) : undefined;
            const isPrivate = url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url.hostname));
            if (url === undefined || !isPrivate || url.href !== `${url.origin}/`) {
                throw new ServiceOptionsError(
                    "A git token needs an https origin, such as https://git.example.com: " +
                        `got ${JSON.stringify(address)}.`,
                );
            }
            if (!/^[\x21-\x7e]+$/.test(token)) {
                throw new ServiceOptionsError(`The git token for ${url.origin} is empty, or holds white space.`);
            }
            return [url.origin, token];
        }),
    );
}
