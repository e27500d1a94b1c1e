package io.credential.sample;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

import io.credential.apikey.ApiKey;
import io.credential.apikey.ApiKeyErrorCode;
import io.credential.apikey.ApiKeyException;
import io.credential.apikey.ApiKeyPage;
import io.credential.apikey.ApiKeyRegistry;
import io.credential.apikey.IssueRequest;
import io.credential.apikey.IssuedApiKey;
import io.credential.apikey.ListOptions;
import io.credential.apikey.RotatedApiKey;
import io.credential.apikey.Rotation;
import io.credential.ratelimit.Quota;
import io.credential.seal.ResealResult;
import io.credential.spring.security.RequiresScope;

/** Issues, lists, rotates and revokes API keys. */
@RestController
@RequestMapping("/keys")
@RequiresScope("keys:admin")
class KeyController {

    private final ApiKeyRegistry registry;

    KeyController(ApiKeyRegistry registry) {
        this.registry = registry;
    }

    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    IssuedApiKey issue(@RequestBody NewKey key) {
        return registry.issue(key.toRequest());
    }

    /**
     * Lists the keys of one owner, or the newest of all owners; {@code Link} refers to the next page, if there is one.
     */
    @GetMapping
    ResponseEntity<List<ApiKey>> list(
            @RequestParam(required = false) @Nullable String ownerId,
            @RequestParam(required = false) @Nullable String cursor) {
        ListOptions options = new ListOptions(false, false, ListOptions.MAX_LIMIT, cursor);
        ApiKeyPage page = ownerId == null ? registry.list(options) : registry.listForOwner(ownerId, options);
        return NextPage.answer(page.keys(), page.nextCursor());
    }

    @GetMapping("/{id}")
    ApiKey get(@PathVariable String id) {
        return registry.getById(id)
                .orElseThrow(() -> new ApiKeyException(ApiKeyErrorCode.NOT_FOUND, "No key has this id"));
    }

    @PostMapping("/{id}/rotate")
    RotatedApiKey rotate(@PathVariable String id, @RequestBody RotateKey rotate) {
        return registry.rotate(id, rotate.toRotation());
    }

    @PostMapping("/{id}/disable")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void disable(@PathVariable String id) {
        registry.disable(id);
    }

    @PostMapping("/{id}/enable")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void enable(@PathVariable String id) {
        registry.enable(id);
    }

    @DeleteMapping("/{id}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void revoke(@PathVariable String id) {
        if (!registry.revoke(id)) {
            ApiKey key = get(id);
            throw new ApiKeyException(ApiKeyErrorCode.REVOKED, "API key " + key.id() + " is revoked");
        }
    }

    @PostMapping("/purge")
    Purged purge() {
        return new Purged(registry.purgeExpired());
    }

    @PostMapping("/reseal")
    ResealResult reseal() {
        return registry.resealSealedColumns();
    }

    /** Missing and null values get the registry's default; the registry rejects a missing owner. */
    record NewKey(
            @Nullable String ownerId,
            @Nullable String name,
            @Nullable List<String> scopes,
            @Nullable Map<String, Object> metadata,
            @Nullable Long expiresAt,
            @Nullable NewRateLimit rateLimit,
            @Nullable NewQuota quota,
            @Nullable List<String> allowedNetworks) {

        IssueRequest toRequest() {
            IssueRequest request = IssueRequest.forOwner(ownerId)
                    .name(name)
                    .scopes(scopes == null ? List.of() : scopes)
                    .metadata(metadata == null ? Map.of() : metadata)
                    .expiresAt(expiresAt == null ? null : Instant.ofEpochMilli(expiresAt))
                    .allowedNetworks(allowedNetworks == null ? List.of() : allowedNetworks);
            IssueRequest limited = rateLimit == null ? request : rateLimit.addTo(request);
            return quota == null ? limited : quota.addTo(limited);
        }
    }

    /** Both values are required. */
    record NewRateLimit(@Nullable Integer limit, @Nullable Long windowSeconds) {

        IssueRequest addTo(IssueRequest request) {
            if (limit == null || windowSeconds == null) {
                throw new ApiKeyException(
                        ApiKeyErrorCode.BAD_OPT, "rateLimit needs limit and windowSeconds, both whole numbers");
            }
            return request.rateLimit(limit, Duration.ofSeconds(windowSeconds));
        }
    }

    /** Limit and period are required; the zone is UTC unless it is given. */
    record NewQuota(
            @Nullable Integer limit,
            Quota.@Nullable Period period,
            @Nullable ZoneId zone) {

        IssueRequest addTo(IssueRequest request) {
            if (limit == null || period == null) {
                throw new ApiKeyException(
                        ApiKeyErrorCode.BAD_OPT, "quota needs limit, a whole number, and period: day or month");
            }
            try {
                return request.quota(new Quota(limit, period, zone == null ? ZoneOffset.UTC : zone));
            } catch (IllegalArgumentException e) {
                throw new ApiKeyException(ApiKeyErrorCode.BAD_OPT, "quota: " + e.getMessage(), e);
            }
        }
    }

    /** The client must decide whether the old secret remains valid for a while: neither is a safe default. */
    record RotateKey(@Nullable Boolean graceful) {

        Rotation toRotation() {
            if (graceful == null) {
                throw new ApiKeyException(ApiKeyErrorCode.BAD_OPT, "graceful is required: true or false");
            }
            return graceful ? Rotation.graceful() : Rotation.immediate();
        }
    }

    record Purged(int purged) {}
}
