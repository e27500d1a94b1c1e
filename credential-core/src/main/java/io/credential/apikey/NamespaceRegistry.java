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
    private final KeyIssuing issuing;
    private final KeyChanging changing;
    private final KeyLookup lookup;
    private final KeyPurging purging;
    private final KeyResealing resealing;
    private final SecretRehasher rehasher;

    NamespaceRegistry(RegistryParts parts, MigrationWindow window) {
        this.parts = parts;
        Operations operations = new Operations(parts.database(), parts.leadership(), parts.audit());
        RowAccess rows = new RowAccess(parts);
        this.issuing = new KeyIssuing(parts, operations);
        this.changing = new KeyChanging(parts, operations, rows, issuing);
        this.lookup = new KeyLookup(parts, operations, rows);
        this.purging = new KeyPurging(parts, operations);
        this.resealing = new KeyResealing(parts, operations, window);
        this.rehasher = new SecretRehasher(parts, operations);
        this.verifier = new ApiKeyVerifier(parts, issuing.decoy(), rehasher);
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
        return issuing.issue(Arguments.required(request, "request"));
    }

    @Override
    public Optional<ApiKey> verify(@Nullable String token) {
        return verifier.verify(token);
    }

    @Override
    public boolean revoke(String id) {
        return changing.revoke(id);
    }

    @Override
    public boolean disable(String id) {
        return changing.disable(id);
    }

    @Override
    public boolean enable(String id) {
        return changing.enable(id);
    }

    @Override
    public RotatedApiKey rotate(String id, Rotation rotation) {
        return changing.rotate(id, Arguments.required(rotation, "rotation"));
    }

    @Override
    public ApiKey update(String id, ApiKeyChanges changes) {
        return changing.update(id, Arguments.required(changes, "changes"));
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
        return purging.purgeExpired();
    }

    @Override
    public ResealResult resealSealedColumns() {
        return resealing.resealSealedColumns();
    }

    SecretRehasher rehasher() {
        return rehasher;
    }

    AuditTrail audit() {
        return parts.audit();
    }
}
