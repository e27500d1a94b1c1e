package io.credential.apikey;

import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/** The registry of one namespace: the operations, put together. */
final class NamespaceRegistry implements ApiKeyRegistry {

    private final ApiKeyRegistryOptions options;
    private final ApiKeyVerifier verifier;
    private final KeyIssuing issuing;
    private final KeyChanging changing;
    private final KeyLookup lookup;
    private final KeyPurging purging;
    private final KeyResealing resealing;
    private final SecretRehasher rehasher;

    NamespaceRegistry(RegistryParts parts, UnroutedTokens unrouted) {
        this.options = parts.options();
        Operations operations = new Operations(parts.database(), parts.leadership(), parts.audit());
        RowAccess rows = new RowAccess(parts);
        this.issuing = new KeyIssuing(parts, operations);
        this.changing = new KeyChanging(parts, operations, rows, issuing);
        this.lookup = new KeyLookup(parts, operations, rows);
        this.purging = new KeyPurging(parts, operations);
        this.resealing = new KeyResealing(parts, operations);
        this.rehasher = new SecretRehasher(parts, operations);
        this.verifier = new ApiKeyVerifier(parts, issuing.decoy(), unrouted, rehasher);
    }

    @Override
    public String namespace() {
        return options.namespace();
    }

    @Override
    public String prefix() {
        return options.prefix();
    }

    @Override
    public IssuedApiKey issue(IssueRequest request) {
        return issuing.issue(request);
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
    public RotatedApiKey rotate(String id, Rotation rotation) {
        return changing.rotate(id, rotation);
    }

    @Override
    public ApiKey update(String id, ApiKeyChanges changes) {
        return changing.update(id, changes);
    }

    @Override
    public List<ApiKey> listForOwner(String ownerId) {
        return lookup.listForOwner(ownerId);
    }

    @Override
    public ApiKeyPage listForOwner(String ownerId, ListOptions listOptions) {
        return lookup.listForOwner(ownerId, listOptions);
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
}
