import { Type } from "typebox";
import { keyScopes } from "../../keys/admin-keys.js";
import { closed, DateTime, Nullable, StringEnum } from "./schema-types.js";

const KeyBody = Type.Object(
    {
        id: Type.String(),
        name: Type.String(),
        scopes: Type.Array(StringEnum(keyScopes, "What the key allows.")),
        domains: Nullable(Type.Array(Type.String(), { description: "The key's domains; null for all." })),
        projects: Nullable(Type.Array(Type.String(), { description: "The key's projects; null for all." })),
        createdBy: Nullable(Type.String({ description: "The key or person that created the key." })),
        createdById: Nullable(
            Type.String({ description: "The id of that key or person; null for the service's key." }),
        ),
        createdAt: DateTime("When the key was created."),
        expiresAt: Nullable(DateTime("When the key expires; null for never.")),
        revokedAt: Nullable(DateTime("When the key was revoked.")),
        lastUsedAt: Nullable(DateTime("The last use, exact to a minute. Null for a key that was never used.")),
    },
    closed,
);

const NewKeyAnswer = Type.Object(
    {
        key: KeyBody,
        secret: Type.String({ description: "The key itself, which is shown only now." }),
        hint: Type.Optional(Type.String({ description: "What is unusual about the key, such as an unknown domain." })),
    },
    closed,
);

const WhoAmIBody = Type.Object(
    {
        name: Type.String({ description: "The name of the key or person." }),
        id: Nullable(Type.String({ description: "The id of the key or person; null for the service's own key." })),
        scopes: Type.Array(StringEnum(keyScopes, "What the key allows.")),
        domains: Nullable(Type.Array(Type.String(), { description: "The key's domains; null for all." })),
        projects: Nullable(Type.Array(Type.String(), { description: "The key's projects; null for all." })),
        expiresAt: Nullable(DateTime("When the key expires; null for never.")),
    },
    closed,
);

const SessionBody = Type.Object(
    {
        id: Type.String(),
        name: Type.String({ description: "The name of the key or person." }),
        ownerId: Nullable(Type.String({ description: "The id of the key or person; null for the service's own key." })),
        address: Nullable(Type.String({ description: "Where the person signed in." })),
        createdAt: DateTime("When the session began."),
        seenAt: DateTime("The last use, exact to a minute."),
        expiresAt: DateTime("When the session ends in any case."),
    },
    closed,
);

const next = Nullable(Type.String({ description: "The cursor of the next page; null on the last page." }));

const AuditEntryBody = Type.Object(
    {
        at: DateTime("When it was done."),
        actor: Type.String({ description: "Who did it, such as Key ci (ak_42)." }),
        actorId: Nullable(Type.String({ description: "The id of the key or person; null for the service's own key." })),
        act: Type.String({ description: "What was done, such as revoked key old (ak_7)." }),
        address: Nullable(Type.String({ description: "The address from which it was done." })),
    },
    closed,
);

/** The response bodies about keys and sessions, by their names in the OpenAPI document. */
export const keySchemas = {
    Session: SessionBody,
    SessionList: Type.Object({ sessions: Type.Array(SessionBody), next }, closed),
    AuditList: Type.Object(
        {
            entries: Type.Array(AuditEntryBody, { description: "The newest first." }),
            total: Type.Optional(
                Type.Integer({
                    minimum: 0,
                    description: "With count=true: how many entries match; 1001 for more than 1000.",
                }),
            ),
            next,
        },
        closed,
    ),
    AdminKey: KeyBody,
    AdminKeyList: Type.Object(
        {
            keys: Type.Array(KeyBody),
            next: Type.Optional(Type.String({ description: "The cursor of the next page, if there is one." })),
        },
        closed,
    ),
    NewAdminKey: NewKeyAnswer,
    RotatedLinkSecret: Type.Object(
        { earlierValidUntil: DateTime("Until when links and sessions of the earlier secret work.") },
        closed,
    ),
    WhoAmI: WhoAmIBody,
};
