package io.credential.apikey;

import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import io.credential.audit.AuditTrail;
import io.credential.seal.ResealResult;

/** The registry of one namespace: the operations, put together. */
final class NamespaceRegistry implements ApiKeyRegistry {

    private final RegistryParts parts;
    private final ApiKeyVerifier verifier;
    private final KeyIssuer issuer;
    private final KeyEditor editor;
    private final KeyLookup lookup;
    private final KeyPurger purger;
    private final KeyResealer resealer;
    private final SecretRehasher rehasher;

    NamespaceRegistry(RegistryParts parts, MigrationWindow window) {
        this.parts = parts;
        Operations operations = new Operations(parts.database(), parts.leadership(), parts.audit());
        RowAccess rows = new RowAccess(parts);
        this.issuer = new KeyIssuer(parts, operations);
        this.editor = new KeyEditor(parts, operations, rows, issuer);
        this.lookup = new KeyLookup(parts, operations, rows);
        this.purger = new KeyPurger(parts, operations);
        this.resealer = new KeyResealer(parts, operations, window);
        this.rehasher = new SecretRehasher(parts, operations, rows);
        this.verifier = new ApiKeyVerifier(parts, issuer.decoy(), rehasher);
    }

    @Override
    public String namespace() {
        return parts.namespace();
    }

    @Override
    public String prefix() {
        return parts.options().prefix();
    }

    @Override
    public IssuedApiKey issue(IssueRequest request) {
        return issuer.issue(Arguments.required(request, "request"));
    }

    @Override
    public Optional<ApiKey> verify(@Nullable String token) {
        return verifier.verify(token);
    }

    @Override
    public boolean revoke(String id) {
        return editor.revoke(id);
    }

    @Override
    public boolean disable(String id) {
        return editor.disable(id);
    }

    @Override
    public boolean enable(String id) {
        return editor.enable(id);
    }

    @Override
    public RotatedApiKey rotate(String id, Rotation rotation) {
        return editor.rotate(id, Arguments.required(rotation, "rotation"));
    }

    @Override
    public ApiKey update(String id, ApiKeyChanges changes) {
        return editor.update(id, Arguments.required(changes, "changes"));
    }

    @Override
    public List<ApiKey> listForOwner(String ownerId) {
        return lookup.listForOwner(ownerId);
    }

    @Override
    public ApiKeyPage listForOwner(String ownerId, ListOptions options) {
        return lookup.listForOwner(ownerId, Arguments.required(options, "options"));
    }

    @Override
    public ApiKeyPage list(ListOptions options) {
        return lookup.list(Arguments.required(options, "options"));
    }

    @Override
    public Optional<ApiKey> getById(String id) {
        return lookup.getById(id);
    }

    @Override
    public int purgeExpired() {
        return purger.purgeExpired();
    }

    @Override
    public ResealResult resealSealedColumns() {
        return resealer.resealSealedColumns();
    }

    SecretRehasher rehasher() {
        return rehasher;
    }

    AuditTrail audit() {
        return parts.audit();
    }
}
