/** The value of a key, which is created if the map or WeakMap lacks the key. */
export function getOrMake<K, V>(map: MapLike<K, V>, key: K, make: () => V): V {
    const known = map.get(key);
    if (known !== undefined || map.has(key)) {
        return known as V;
    }
    const made = make();
    map.set(key, made);
    return made;
}

interface MapLike<K, V> {
    get(key: K): V | undefined;
    has(key: K): boolean;
    set(key: K, value: V): unknown;
}
