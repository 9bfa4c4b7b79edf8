import { decodeUri } from "@pulumi-static-export/contract";
import { parseDocument } from "yaml";
import { isDistinctive } from "../copies/is-distinctive.js";
import { hiddenLeaves } from "./hidden-values.js";
import { decodeBase64Text, isKubeconfig } from "../placeholders/shapes.js";

const signingParameter = /^(x-(amz|goog)-(signature|credential|security-token)|signature|sig|token|access_token)$/i;
/** `Password=…;` in connection strings. */
const assignedKey = /(?:password|pwd|accountkey|sharedaccesskey|accesskey|secret|token)\s*=\s*([^;&\s"']+)/gi;
const minLineCharacters = 16;
const maxDepth = 4;

/**
 * The text itself, and parts of the text that are also secrets: the password in an address, the key in a kubeconfig,
 * decoded text.
 */
export function secretParts(text: string, depth = 0): string[] {
    const parts = depth >= maxDepth ? [] : innerParts(text).flatMap((part) => secretParts(part, depth + 1));
    const trimmed = text.trim();
    return [...new Set(trimmed === "" ? parts : [trimmed, ...parts])];
}

/** The values in a JSON string. */
export function jsonLeaves(text: string): string[] {
    if (!/^\s*[[{]/.test(text)) {
        return [];
    }
    try {
        return [...hiddenLeaves(JSON.parse(text), undefined)];
    } catch {
        return [];
    }
}

function innerParts(text: string): string[] {
    const [, scheme = "", credentials = ""] = /^(basic|bearer)\s+(\S+)$/i.exec(text.trim()) ?? [];
    const decoded = decodeBase64Text(text);
    return [
        ...(scheme === "" ? [] : [credentials]),
        // An ordinary word may also decode to readable text.
        ...(decoded !== undefined && (text.endsWith("=") || isDistinctive(decoded)) ? [decoded] : []),
        ...(isKubeconfig(text) ? kubeconfigKeys(text) : jsonLeaves(text)),
        ...addressKeys(text),
        ...[...text.matchAll(assignedKey)].map(([, key = ""]) => key),
        // Covers, for example, the lines of a private key that is indented in YAML.
        ...text
            .split(/\r?\n/)
            .map((line) => line.trim())
            .filter((line) => line !== text && /^\S+$/.test(line) && line.length >= minLineCharacters),
    ];
}

function addressKeys(text: string): string[] {
    if (!/^[a-z][a-z\d+.-]*:\/\/\S+$/i.test(text) || !URL.canParse(text)) {
        return [];
    }
    const { username, password, searchParams } = new URL(text);
    const credentials = password === "" ? username : password;
    return [
        credentials,
        decodeUri(credentials),
        ...[...searchParams].filter(([name]) => signingParameter.test(name)).map(([, value]) => value),
    ];
}

function kubeconfigKeys(text: string): string[] {
    const document = parseDocument(text);
    const collect = (value: unknown, key: string): string[] => {
        if (typeof value === "object" && value !== null) {
            return Object.entries(value).flatMap(([name, member]) => collect(member, name));
        }
        return typeof value === "string" && /^(token|password|client-key-data)$/.test(key) ? [value] : [];
    };
    return document.errors.length > 0 ? [] : collect(document.toJS(), "");
}
