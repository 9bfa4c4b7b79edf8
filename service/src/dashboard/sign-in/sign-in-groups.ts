import { type Caller, type Grant, unionOf } from "../../http/protocol/caller.js";
import { type KeyScope, keyScopes } from "../../keys/admin-keys.js";
import { InvalidKeyError, resolveReach } from "../../keys/key-reach.js";
import { ServiceOptionsError } from "../../shared/service-options-error.js";

/** A person whom the identity provider has identified. */
export interface Person {
    /** The provider's id of the person, which never changes. */
    id: string;
    /** The person's name for people, which others may have, too. */
    name: string;
    groups: string[];
}

/** What the members of a group may do, in the terms of an admin API key. */
export interface GroupRights {
    scopes: readonly KeyScope[];
    /** @default all domains, unless `projects` are given */
    domains?: readonly string[];
    /** @default all projects, unless `domains` are given */
    projects?: readonly string[];
}

/** By the name of the group. */
export type SignInGroups = ReadonlyMap<string, Grant>;

const names = ["scopes", "domains", "projects"];

/** @throws ServiceOptionsError */
export function resolveGroups(groups: Readonly<Record<string, unknown>>): SignInGroups {
    if (Object.keys(groups).length === 0) {
        throw new ServiceOptionsError("No group of the identity provider may do anything: name at least one group.");
    }
    return new Map(Object.entries(groups).map(([group, rights]) => [group, resolveRights(group, rights)]));
}

function resolveRights(group: string, rights: unknown): Grant {
    const { scopes, domains = null, projects = null } = (rights ?? {}) as Record<string, unknown>;
    const unknown = Object.keys(rights ?? {}).find((name) => !names.includes(name));
    const isScope = (text: string): text is KeyScope => (keyScopes as readonly string[]).includes(text);
    if (unknown !== undefined) {
        throw new ServiceOptionsError(`Group ${group}: "${unknown}" is not one of ${names.join(", ")}.`);
    }
    if (!isListOfTexts(scopes) || scopes.length === 0 || !scopes.every(isScope)) {
        throw new ServiceOptionsError(`Group ${group}: scopes must be a list of ${keyScopes.join(", ")}.`);
    }
    if ((domains !== null && !isListOfTexts(domains)) || (projects !== null && !isListOfTexts(projects))) {
        throw new ServiceOptionsError(`Group ${group}: domains and projects must be lists of strings.`);
    }
    try {
        return { scopes, ...resolveReach({ scopes, domains, projects }) };
    } catch (error) {
        throw error instanceof InvalidKeyError
            ? new ServiceOptionsError(`Group ${group}: ${error.message.replaceAll("key", "group")}`)
            : error;
    }
}

function isListOfTexts(value: unknown): value is string[] {
    return Array.isArray(value) && value.every((each) => typeof each === "string" && each !== "");
}

/** The person with the rights that the groups have now; undefined if they have none. */
export function personOf({ id, name, groups }: Person, all: SignInGroups | undefined): Caller | undefined {
    const grants = groups.map((group) => all?.get(group)).filter((grant) => grant !== undefined);
    return grants.length === 0
        ? undefined
        : {
              id: `user:${id}`,
              name,
              ...unionOf(grants),
              grants,
          };
}
