import { adminKey, createdKey, keyRights, rotatedLinkSecret } from "@pulumi-static-export/contract/api";
import { Type } from "typebox";
import { keyScopes } from "../../keys/admin-keys.js";
import { closed, DateTime, declared, Nullable, StringEnum } from "./schema-types.js";

const scopes = Type.Array(StringEnum(keyScopes, "The scopes of the key."));

const KeyBody = Type.Object(
    {
        ...declared(adminKey),
        scopes,
        createdById: Nullable(
            Type.String({ description: "The id of that key or person; null for the service's key." }),
        ),
    },
    closed,
);

const WhoAmIBody = Type.Object(
    {
        name: Type.String({ description: "The name of the key or person." }),
        id: Nullable(Type.String({ description: "The id of the key or person; null for the service's own key." })),
        ...declared(keyRights),
        scopes,
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
    NewAdminKey: Type.Object({ ...declared(createdKey), key: KeyBody }, closed),
    RotatedLinkSecret: Type.Object(declared(rotatedLinkSecret), closed),
    WhoAmI: WhoAmIBody,
};
