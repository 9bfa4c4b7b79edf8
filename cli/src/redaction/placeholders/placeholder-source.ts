/** The data for creating the placeholder of a string in a known format. */
export interface PlaceholderSource {
    /** The placeholder of a string, which may be a part of the current string. */
    text(text: string): string;
    scalar(value: unknown): unknown;
    json(value: unknown): unknown;
    /** The placeholder of a map's key; the key itself if it is the name of a property. */
    key(key: string): string;
    /** A number that no other placeholder uses. */
    nextNumber(): number;
    /** A name that no other placeholder uses. */
    nextName(): string;
    /** The placeholder of a link's address without the query; a renewed link gets the same placeholder. */
    addressFor(address: string): string;
}
