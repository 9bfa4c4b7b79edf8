import { type PlaceholderSource } from "./placeholder-source.js";
import { isPropertyName } from "./property-name.js";
import { shapes } from "./shapes.js";

/** Limits the number of attempts, because a format may have only one possible placeholder. */
const maxTries = 1000;

/**
 * Placeholders for secrets. Equal strings have equal placeholders, and different strings have different placeholders.
 * Each placeholder has the format that programs and providers expect: numbers, addresses, links with their expiry,
 * JSON, kubeconfigs, digests. A placeholder reveals only the format, the path and the names of properties.
 */
export class Placeholders implements PlaceholderSource {
    readonly #placeholders = new Map<string, string>();
    readonly #addresses = new Map<string, string>();
    #count = 0;

    /**
     * @param isSecret - returns whether a string is a secret, because the placeholder of one secret could equal another
     * secret
     */
    constructor(private readonly isSecret: (text: string) => boolean = () => false) {}

    text(text: string): string {
        const trimmed = text.trim();
        if (trimmed === "") {
            return text;
        }
        if (trimmed !== text) {
            // Preserves whitespace at the ends, so that a program that trims the secret computes the same value.
            return text.replace(trimmed, () => this.text(trimmed));
        }
        let placeholder = this.#placeholders.get(text);
        if (placeholder === undefined) {
            placeholder = this.#create(text);
            this.#placeholders.set(text, placeholder);
        }
        return placeholder;
    }

    /** All booleans become false: any other rule would reveal their values. */
    scalar(value: unknown): unknown {
        if (typeof value === "string") {
            return this.text(value);
        }
        if (typeof value === "number") {
            return Number(this.text(String(value)));
        }
        return typeof value === "boolean" ? false : value;
    }

    /** Replaces all leaves of a JSON value and keeps its structure. */
    json(value: unknown): unknown {
        if (Array.isArray(value)) {
            return value.map((member) => this.json(member));
        }
        if (typeof value === "object" && value !== null) {
            return Object.fromEntries(Object.entries(value).map(([key, member]) => [this.key(key), this.json(member)]));
        }
        return this.scalar(value);
    }

    key(key: string): string {
        return isPropertyName(key) && !this.isSecret(key) ? key : this.text(key);
    }

    /** A number that no other placeholder uses. */
    nextNumber(): number {
        this.#count += 1;
        return this.#count;
    }

    nextName(): string {
        return `redacted-${this.nextNumber()}`;
    }

    /** The placeholder of a link's address without the query; a renewed link gets the same placeholder. */
    addressFor(address: string): string {
        let placeholder = this.#addresses.get(address);
        if (placeholder === undefined) {
            placeholder = `${new URL(address).protocol}//${this.nextName()}.invalid`;
            this.#addresses.set(address, placeholder);
        }
        return placeholder;
    }

    #create(text: string): string {
        let placeholder = this.#draw(text);
        for (let tries = 1; tries < maxTries && this.isSecret(placeholder); tries += 1) {
            placeholder = this.#draw(text);
        }
        return placeholder;
    }

    #draw(text: string): string {
        for (const shape of shapes) {
            const placeholder = shape(text, this);
            if (placeholder !== undefined) {
                return placeholder;
            }
        }
        return this.nextName();
    }
}
