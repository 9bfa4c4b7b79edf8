import { ServiceOptionsError } from "../shared/service-options-error.js";

const address = /^(postgres(?:ql)?:\/\/)(?:([^/?#]*)@)?([^/?#]*)(.*)$/;

/**
 * The address of each host of a PostgreSQL database. As with PostgreSQL's own programs, the address may name several
 * hosts, one of which accepts writes: `postgres://user@one.example.com:5432,two.example.com:5432/name`.
 *
 * @throws ServiceOptionsError; the message does not show the address, because it may contain a password
 */
export function parseDatabaseUrl(url: string): string[] {
    const [, scheme = "", user, hosts = "", rest = ""] = address.exec(url) ?? [];
    const urls = hosts.split(",").map((host) => `${scheme}${user === undefined ? "" : `${user}@`}${host}${rest}`);
    if (scheme === "" || !urls.every((each) => URL.canParse(each))) {
        throw new ServiceOptionsError(
            "The database's address must begin with postgres://, such as postgres://user@host:5432/name, or " +
                "postgres://user@one:5432,two:5432/name with several hosts.",
        );
    }
    return urls;
}
