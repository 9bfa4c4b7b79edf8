import { ServiceOptionsError } from "../shared/service-options-error.js";

const beginning = /^(postgres(?:ql)?:\/\/)([^/?#]*)/;

/**
 * The address of each host of a PostgreSQL database. As with PostgreSQL's own programs, the address may name several
 * hosts, one of which accepts writes: `postgres://user@one.example.com:5432,two.example.com:5432/name`.
 *
 * @throws ServiceOptionsError; the message does not show the address, because it may contain a password
 */
export function parseDatabaseUrl(url: string): string[] {
    const [matched = "", scheme = "", authority = ""] = beginning.exec(url) ?? [];
    const hostsAt = authority.lastIndexOf("@") + 1;
    const [user, hosts, rest] = [authority.slice(0, hostsAt), authority.slice(hostsAt), url.slice(matched.length)];
    const urls = hosts.split(",").map((host) => `${scheme}${user}${host}${rest}`);
    if (scheme === "" || !urls.every((each) => URL.canParse(each))) {
        throw new ServiceOptionsError(
            "The database's address must begin with postgres://, such as postgres://user@host:5432/name, or " +
                "postgres://user@one:5432,two:5432/name with several hosts.",
        );
    }
    return urls;
}
