package io.credential.spring.autoconfigure.effects;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.commons.support.AnnotationSupport;

import io.credential.spring.autoconfigure.properties.PropertyMetadata;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every property does something: for each there is a test that sets it and observes the difference in a running
 * application or context, not only in what was bound.
 */
class PropertyEffectTests {

    /** A property and the test that shows its effect; packages below {@code io.credential.spring}. */
    private static final String TABLE = """
            credential.mode                             | autoconfigure.cluster.ClusterAutoConfigurationTests#leadershipWhenOnlyNodeOfAClusterThenLeadsAtOnce
            credential.storage.path                     | autoconfigure.database.LocalSqliteAutoConfigurationTests#localFileWhenNothingIsConfiguredThenIsUsed
            credential.storage.schema                   | autoconfigure.database.CredentialDatabaseAutoConfigurationTests#startWhenSchemaIsNoneThenCreatesNoTable
            credential.keyring.location                 | autoconfigure.keyring.KeyringAutoConfigurationTests#locationWhenBase64ThenIsRead
            credential.keyring.create                   | autoconfigure.keyring.KeyringAutoConfigurationTests#startWhenKeyringMayNotBeCreatedThenExplains
            credential.keyring.allow-group-read         | autoconfigure.keyring.KeyringAutoConfigurationTests#startWhenGroupMayReadKeyringThenNamesTheProperty
            credential.seal.allow-plain-migration       | autoconfigure.apikeys.ApiKeyRegistriesAutoConfigurationTests#plainMigrationThenIsOpenOnlyForNamedTable
            credential.audit.jdbc.enabled               | autoconfigure.audit.AuditLogTests#logWhenEnabledThenAppendsBesidesLogging
            credential.audit.jdbc.on-overflow           | autoconfigure.audit.AuditLogTests#recordWhenOverflowDropsThenNobodyWaits
            credential.audit.jdbc.record-verifications  | autoconfigure.audit.AuditLogTests#verifyWhenVerificationsAreRecordedThenAppended
            credential.cluster.node-id                  | autoconfigure.effects.ClusterPropertyTests#leaseWhenNodeIdAndDurationAreSetThenHasThem
            credential.cluster.lease-duration           | autoconfigure.effects.ClusterPropertyTests#leaseWhenNodeIdAndDurationAreSetThenHasThem
            credential.cluster.listen-url               | autoconfigure.effects.ClusterPropertyTests#notificationsWhenListenUrlIsSetThenOverThisUrl
            credential.cluster.advertised-url           | autoconfigure.cluster.ClusterAutoConfigurationTests#followerThenVerifiesButRefusesNamingTheLeader

            credential.api-keys.header-name             | security.ApiKeyHeaderNameTests#getWhenKeyIsInTheConfiguredHeaderThenOk
            credential.api-keys.accept-bearer           | security.BearerTests#keyWhenBearerThenAuthenticates
            credential.api-keys.accept-tickets          | security.RealRegistryTests#ticketThenAuthenticatesOnceAsItsKey
            credential.api-keys.ticket-parameter        | security.RealRegistryTests#ticketThenAuthenticatesOnceAsItsKey
            credential.api-keys.install-in              | autoconfigure.security.InstallInTests#everyChainWhenThereAreOwnChainsThenAccepted
            credential.api-keys.accept                  | security.RejectionReportTests#rejectionWhenRegistryIsNotAcceptedThenAudited
            credential.api-keys.require-https           | security.HttpsRequirementTests#getWhenHttpsIsNotRequiredThenOk
            credential.api-keys.scopes.wildcards        | security.ScopeWildcardTests#getWhenWildcardsAreEnabledThenGranted
            credential.api-keys.scopes.known            | autoconfigure.effects.ApiKeyPropertyTests#issueWhenScopeIsNotInCatalogueThenRefused
            credential.api-keys.purge-interval          | autoconfigure.apikeys.ApiKeyPurgeTests#purgeWhenIntervalIsConfiguredThenRunsByItself
            credential.api-keys.cache.enabled           | autoconfigure.effects.ApiKeyPropertyTests#verifyWhenCacheIsEnabledThenAcceptedWithoutRow
            credential.api-keys.cache.max-size          | autoconfigure.effects.ApiKeyPropertyTests#verifyWhenCacheHoldsOneKeyThenOthersAreRead
            credential.api-keys.cache.ttl               | autoconfigure.effects.ApiKeyPropertyTests#verifyWhenTtlHasPassedThenRowIsRead
            credential.api-keys.usage.enabled           | autoconfigure.effects.ApiKeyPropertyTests#usageWhenEnabledThenCounted
            credential.api-keys.search.names            | autoconfigure.effects.ApiKeyPropertyTests#searchWhenNamesAreEnabledThenFoundByName
            credential.api-keys.search.scopes           | autoconfigure.effects.ApiKeyPropertyTests#searchWhenScopesAreEnabledThenFoundByScope
            credential.api-keys.rate-limits.store       | autoconfigure.apikeys.RateLimitConfigurationTests#storeWhenJdbcThenCountsInTheDatabase
            credential.api-keys.failed-attempts.limit   | security.RequestLimitTests#getWhenAddressFailedTooOftenThenRejectionsAre429
            credential.api-keys.failed-attempts.window  | security.RequestLimitTests#getWhenAddressFailedTooOftenThenRejectionsAre429
            credential.api-keys.argon2id.memory         | autoconfigure.apikeys.ApiKeyRegistriesAutoConfigurationTests#issueWhenRegistryOptionsAreSetThenTheyApply
            credential.api-keys.argon2id.iterations     | autoconfigure.apikeys.ApiKeyRegistriesAutoConfigurationTests#issueWhenRegistryOptionsAreSetThenTheyApply
            credential.api-keys.argon2id.parallelism    | autoconfigure.effects.ApiKeyPropertyTests#issueWhenArgon2HasTwoLanesThenStoredHashSaysSo
            credential.api-keys.argon2id.max-concurrent | autoconfigure.effects.ApiKeyPropertyTests#issueWhenNoHashTurnIsFreeThenWaitsAsConfigured
            credential.api-keys.argon2id.max-wait       | autoconfigure.effects.ApiKeyPropertyTests#issueWhenNoHashTurnIsFreeThenWaitsAsConfigured
            credential.api-keys.registries.<namespace>.prefix          | autoconfigure.apikeys.ApiKeyRegistriesAutoConfigurationTests#registriesWhenSeveralThenFoundByNamespace
            credential.api-keys.registries.<namespace>.id-bytes        | autoconfigure.apikeys.ApiKeyRegistriesAutoConfigurationTests#issueWhenRegistryOptionsAreSetThenTheyApply
            credential.api-keys.registries.<namespace>.secret-bytes    | autoconfigure.apikeys.ApiKeyRegistriesAutoConfigurationTests#issueWhenRegistryOptionsAreSetThenTheyApply
            credential.api-keys.registries.<namespace>.hash-algorithm  | autoconfigure.apikeys.ApiKeyRegistriesAutoConfigurationTests#issueWhenRegistryOptionsAreSetThenTheyApply
            credential.api-keys.registries.<namespace>.purge-after     | autoconfigure.effects.ApiKeyPropertyTests#purgeWhenPurgeAfterHasPassedThenRemoved
            credential.api-keys.registries.<namespace>.rotation-grace  | autoconfigure.effects.ApiKeyPropertyTests#rotateWhenGraceIsSetThenOldSecretWorksThatLong
            credential.api-keys.registries.<namespace>.track-last-used | autoconfigure.effects.ApiKeyPropertyTests#verifyWhenLastUseIsNotTrackedThenNotKept
            credential.api-keys.registries.<namespace>.audit-success   | autoconfigure.effects.ApiKeyPropertyTests#issueWhenSuccessesAreNotAuditedThenNoEvent
            credential.api-keys.registries.<namespace>.audit-failures  | security.RejectionReportTests#rejectionWhenRegistryAuditsNoFailuresThenUnaudited

            credential.api-keys.leak-reports.enabled | autoconfigure.apikeys.LeakReportsConfigurationTests#contextWhenEnabledThenEndpointHasThePathOnly
            credential.api-keys.leak-reports.path | autoconfigure.apikeys.LeakReportsConfigurationTests#contextWhenEnabledThenEndpointHasThePathOnly
            credential.api-keys.leak-reports.public-keys | autoconfigure.apikeys.LeakReportsConfigurationTests#reportWhenPublicKeyIsAFileThenVerified
            credential.api-keys.leak-reports.public-keys-url | autoconfigure.apikeys.LeakReportsConfigurationTests#reportWhenPublishedKeysCannotBeFetchedThen503
            credential.api-keys.leak-reports.action | autoconfigure.apikeys.LeakReportsConfigurationTests#reportWhenActionIsSetThenItIsTaken
            credential.api-keys.leak-reports.max-body-size | autoconfigure.apikeys.LeakReportsConfigurationTests#reportWhenOverALimitThen413
            credential.api-keys.leak-reports.max-reports | autoconfigure.apikeys.LeakReportsConfigurationTests#reportWhenOverALimitThen413
            credential.api-keys.registries.<namespace>.notify-owners   | autoconfigure.dispatcher.internal.OwnerEventsTests#ownerWhenKeyExpiresThenToldOnceWithoutSealedData
            credential.api-keys.registries.<namespace>.rate-limit.limit  | autoconfigure.apikeys.RateLimitConfigurationTests#limitWhenConfiguredThenAppliesToKeysWithoutOne
            credential.api-keys.registries.<namespace>.rate-limit.window | autoconfigure.apikeys.RateLimitConfigurationTests#limitWhenConfiguredThenAppliesToKeysWithoutOne
            credential.api-keys.registries.<namespace>.imported-tokens.<name>.pattern     | autoconfigure.apikeys.ImportApiKeysTests#importWhenFileIsValidThenTokensVerify
            credential.api-keys.registries.<namespace>.imported-tokens.<name>.lookup-hash | autoconfigure.apikeys.ImportApiKeysTests#importWhenLookedUpByPepperedHashThenVerifies
            credential.api-keys.registries.<namespace>.imported-tokens.<name>.pepper      | autoconfigure.apikeys.ImportApiKeysTests#importWhenLookedUpByPepperedHashThenVerifies
            credential.api-keys.registries.<namespace>.quota.limit       | autoconfigure.apikeys.RateLimitConfigurationTests#quotaWhenConfiguredThenAppliesToKeysWithoutOne
            credential.api-keys.registries.<namespace>.quota.period      | autoconfigure.apikeys.RateLimitConfigurationTests#quotaWhenConfiguredThenAppliesToKeysWithoutOne
            credential.api-keys.registries.<namespace>.quota.zone        | autoconfigure.apikeys.RateLimitConfigurationTests#quotaWhenConfiguredThenAppliesToKeysWithoutOne
            credential.api-keys.registries.<namespace>.max-lifetime       | autoconfigure.effects.ApiKeyPropertyTests#issueWhenLifetimeIsLimitedThenLongerIsRefused
            credential.api-keys.registries.<namespace>.require-expiry     | autoconfigure.effects.ApiKeyPropertyTests#issueWhenExpiryIsRequiredThenMissingIsRefused
            credential.api-keys.registries.<namespace>.disable-after-idle | autoconfigure.apikeys.IdleKeyJobTests#runWhenKeyIsIdleThenDisabled

            credential.webhook.inbound.<name>.paths            | webhook.internal.WebhookSignatureFilterTests#requestWhenPathIsAnotherThenNoSignatureNeeded
            credential.webhook.inbound.<name>.methods          | webhook.InboundMappingTests#startWhenThePathIsServedByAnotherMethodThenRefused
            credential.webhook.inbound.<name>.allow-unmapped   | webhook.InboundMappingTests#startWhenUnmappedPathsAreAllowedThenRuns
            credential.webhook.inbound.<name>.scheme           | autoconfigure.webhook.InboundSchemeTests#verifyWhenSchemeIsSetThenItsFormatHolds
            credential.webhook.inbound.<name>.algorithm        | autoconfigure.effects.WebhookPropertyTests#signWhenAlgorithmAndKeyPairAreSetThenVerifies
            credential.webhook.inbound.<name>.keys             | autoconfigure.webhook.WebhookAutoConfigurationTests#verifyWhenKeyIsWrittenDifferentlyThenAccepts
            credential.webhook.inbound.<name>.pqc-algorithm    | autoconfigure.effects.WebhookPropertyTests#startWhenPqcAlgorithmIsAnotherThenFails
            credential.webhook.inbound.<name>.tolerance        | autoconfigure.effects.WebhookPropertyTests#verifyWhenOlderThanToleranceThenExpired
            credential.webhook.inbound.<name>.clock-skew       | autoconfigure.effects.WebhookPropertyTests#verifyWhenFurtherAheadThanClockSkewThenFuture
            credential.webhook.inbound.<name>.signature-header | autoconfigure.effects.WebhookPropertyTests#signatureWhenHeaderIsConfiguredThenTravelsInIt
            credential.webhook.inbound.<name>.nonce-store      | autoconfigure.webhook.WebhookAutoConfigurationTests#nonceStoreWhenJdbcThenDatabaseButNoKeyring
            credential.webhook.inbound.<name>.store-first      | autoconfigure.inbox.StoreFirstTests#hookWhenVerifiedThenAnsweredAndProcessed
            credential.webhook.inbound.<name>.max-body-size    | webhook.internal.WebhookSignatureFilterTests#bodyWhenDeclaredTooLongThenRefused
            credential.webhook.inbound.<name>.audit-success    | autoconfigure.effects.WebhookPropertyTests#verifyWhenAuditOfSuccessesIsOffThenNoEvent
            credential.webhook.inbound.<name>.audit-failures   | autoconfigure.effects.WebhookPropertyTests#verifyWhenAuditOfFailuresIsOffThenNoEvent

            credential.webhook.inbox.enabled               | autoconfigure.inbox.StoreFirstTests#inboxWhenEnabledThenItIsThere
            credential.webhook.inbox.retention             | autoconfigure.inbox.InboxOptionTests#optionsThenThoseOfTheProperties
            credential.webhook.inbox.threads               | autoconfigure.inbox.InboxOptionTests#optionsThenThoseOfTheProperties
            credential.webhook.inbox.max-attempts          | autoconfigure.inbox.StoreFirstTests#methodWhenItFailsThenRolledBackAndDeadInTheEnd
            credential.webhook.inbox.retry-backoff.initial | autoconfigure.inbox.StoreFirstTests#methodWhenItFailsThenRolledBackAndDeadInTheEnd
            credential.webhook.inbox.retry-backoff.max     | autoconfigure.inbox.InboxOptionTests#optionsThenThoseOfTheProperties

            credential.webhook.signers.<name>.algorithm            | autoconfigure.effects.WebhookPropertyTests#signWhenAlgorithmAndKeyPairAreSetThenVerifies
            credential.webhook.signers.<name>.keys                 | autoconfigure.webhook.WebhookAutoConfigurationTests#verifyWhenKeyIsWrittenDifferentlyThenAccepts
            credential.webhook.signers.<name>.default-kid          | autoconfigure.effects.WebhookPropertyTests#signWhenDefaultKidIsConfiguredThenThatKeySigns
            credential.webhook.signers.<name>.pqc-algorithm        | autoconfigure.effects.WebhookPropertyTests#startWhenPqcAlgorithmIsAnotherThenFails
            credential.webhook.signers.<name>.signature-header     | autoconfigure.effects.WebhookPropertyTests#signatureWhenHeaderIsConfiguredThenTravelsInIt
            credential.webhook.signers.<name>.audit-success        | autoconfigure.effects.WebhookPropertyTests#signWhenAuditOfSuccessesIsOffThenNoEvent
            credential.webhook.signers.<name>.audit-failures       | autoconfigure.effects.WebhookPropertyTests#signWhenAuditOfFailuresIsOffThenNoEvent
            credential.webhook.signers.<name>.retry.max-attempts   | autoconfigure.sender.WebhookSenderAutoConfigurationTests#sendWhenReceiverFailsThenTriesAsOftenAsConfigured
            credential.webhook.signers.<name>.retry.initial        | autoconfigure.effects.WebhookPropertyTests#sendWhenPausesAreConfiguredThenTakesThem
            credential.webhook.signers.<name>.retry.max            | autoconfigure.effects.WebhookPropertyTests#sendWhenPausesAreConfiguredThenTakesThem
            credential.webhook.signers.<name>.http.connect-timeout | autoconfigure.sender.WebhookSenderAutoConfigurationTests#sendWhenConnectTimeoutPassesThenFails
            credential.webhook.signers.<name>.http.request-timeout | autoconfigure.sender.WebhookSenderAutoConfigurationTests#sendWhenRequestTimeoutIsConfiguredThenHasNoMore
            credential.webhook.signers.<name>.http.ssl-bundle      | autoconfigure.sender.WebhookSenderAutoConfigurationTests#sendWhenBundleTrustsReceiverThenSucceeds

            credential.webhook.dispatcher.enabled                     | autoconfigure.dispatcher.DispatcherStartupTests#dispatcherWhenDisabledThenNoBeanTableOrThread
            credential.webhook.dispatcher.max-attempts                | autoconfigure.dispatcher.DispatcherCustomizationTests#dispatchWhenAttemptsAndSizeAreLimitedThenObeys
            credential.webhook.dispatcher.retry-backoff.initial       | autoconfigure.effects.DispatcherPropertyTests#nextAttemptWhenBackoffIsSetThenFollowsItsCurve
            credential.webhook.dispatcher.retry-backoff.max           | autoconfigure.effects.DispatcherPropertyTests#nextAttemptWhenBackoffIsSetThenFollowsItsCurve
            credential.webhook.dispatcher.retry-backoff.factor        | autoconfigure.effects.DispatcherPropertyTests#nextAttemptWhenBackoffIsSetThenFollowsItsCurve
            credential.webhook.dispatcher.retry-backoff.jitter        | autoconfigure.effects.DispatcherPropertyTests#nextAttemptWhenBackoffIsSetThenFollowsItsCurve
            credential.webhook.dispatcher.claim-reclaim-after         | autoconfigure.dispatcher.DispatcherCustomizationTests#claimWhenOlderThanReclaimAfterThenIsTakenOver
            credential.webhook.dispatcher.batch-size                  | autoconfigure.effects.DispatcherPropertyTests#processRetriesWhenBatchSizeIsSetThenAttemptsNoMore
            credential.webhook.dispatcher.poll-interval               | autoconfigure.effects.DispatcherPropertyTests#backgroundWorkWhenPollIsShortThenLooksMoreOften
            credential.webhook.dispatcher.request-timeout             | autoconfigure.effects.DispatcherPropertyTests#requestWhenTimeoutIsConfiguredThenHasNoMore
            credential.webhook.dispatcher.max-in-flight               | autoconfigure.effects.DispatcherPropertyTests#attemptsWhenInFlightIsBoundedThenNeverMore
            credential.webhook.dispatcher.max-in-flight-per-endpoint  | autoconfigure.effects.DispatcherPropertyTests#attemptsWhenOneEndpointIsBoundedThenNeverMore
            credential.webhook.dispatcher.max-in-flight-bytes         | autoconfigure.effects.DispatcherPropertyTests#attemptsWhenInFlightBytesAreBoundedThenNeverMore
            credential.webhook.dispatcher.dispatch-wait               | autoconfigure.dispatcher.DispatcherCustomizationTests#dispatchWhenEndpointHangsThenReturnsAfterTheWait
            credential.webhook.dispatcher.require-audience            | autoconfigure.dispatcher.DispatcherCustomizationTests#dispatchWhenRequiredAudienceIsMissingThenRefused
            credential.webhook.dispatcher.signature-header            | autoconfigure.dispatcher.DispatcherCustomizationTests#signatureWhenHeaderIsConfiguredThenTravelsInIt
            credential.webhook.dispatcher.headers.delivery-id         | autoconfigure.dispatcher.DispatcherCustomizationTests#requestWhenHeadersAreNamedThenHasThem
            credential.webhook.dispatcher.headers.event-id            | autoconfigure.dispatcher.DispatcherCustomizationTests#requestWhenHeadersAreNamedThenHasThem
            credential.webhook.dispatcher.headers.event-type          | autoconfigure.dispatcher.DispatcherCustomizationTests#requestWhenHeadersAreNamedThenHasThem
            credential.webhook.dispatcher.headers.attempt             | autoconfigure.dispatcher.DispatcherCustomizationTests#requestWhenHeadersAreNamedThenHasThem
            credential.webhook.dispatcher.user-agent                  | autoconfigure.dispatcher.DispatcherCustomizationTests#requestWhenHeadersAreNamedThenHasThem
            credential.webhook.dispatcher.allowed-protocols           | autoconfigure.internal.egress.EgressTests#sendWhenProtocolIsNotAllowedThenRefused
            credential.webhook.dispatcher.allow-internal-destinations | autoconfigure.internal.egress.EgressTests#sendWhenInternalDestinationsAreAllowedThenDelivers
            credential.webhook.dispatcher.allowed-cidrs               | autoconfigure.internal.egress.EgressTests#sendWhenCidrIsAllowedThenDelivers
            credential.webhook.dispatcher.proxy                       | autoconfigure.internal.egress.EgressTests#sendWhenThereIsAProxyThenGoesThroughIt
            credential.webhook.dispatcher.ssl-bundle                  | autoconfigure.dispatcher.DispatcherCustomizationTests#dispatchWhenSslBundleTrustsReceiverThenDelivered
            credential.webhook.dispatcher.max-payload-size            | autoconfigure.dispatcher.DispatcherCustomizationTests#dispatchWhenAttemptsAndSizeAreLimitedThenObeys
            credential.webhook.dispatcher.retention                   | autoconfigure.effects.DispatcherPropertyTests#removeExpiredWhenRetentionHasPassedThenRemoves
            credential.webhook.dispatcher.payload-retention           | autoconfigure.effects.DispatcherPropertyTests#removeExpiredWhenPayloadIsOldThenErases
            credential.webhook.dispatcher.pause-after                 | autoconfigure.effects.DispatcherPropertyTests#endpointWhenItFailsForPauseAfterThenIsPaused
            credential.webhook.dispatcher.secret-overlap              | autoconfigure.effects.DispatcherPropertyTests#secretWhenReplacedThenOverlapsForSecretOverlap
            credential.webhook.dispatcher.operational-events.enabled       | autoconfigure.dispatcher.internal.OperationalEventsTests#keyWhenItExpiresWithinTheNoticeThenIsReportedOnce
            credential.webhook.dispatcher.operational-events.expiry-notice | autoconfigure.dispatcher.internal.OperationalEventsTests#keyWhenItExpiresWithinTheNoticeThenIsReportedOnce
            credential.webhook.dispatcher.operational-events.grace-notice  | autoconfigure.dispatcher.internal.OperationalEventsTests#oldSecretWhenUsedWithinTheNoticeThenIsReportedOnce
            credential.webhook.dispatcher.operational-events.backlog-age   | autoconfigure.dispatcher.internal.OperationalEventsTests#backlogWhenOlderThanItsAgeThenIsReported
            credential.webhook.dispatcher.endpoints-table             | autoconfigure.dispatcher.DispatcherStartupTests#tablesWhenNamesAreConfiguredThenHaveThem
            credential.webhook.dispatcher.deliveries-table            | autoconfigure.dispatcher.DispatcherStartupTests#tablesWhenNamesAreConfiguredThenHaveThem
            """;

    private static final Path SOURCES = Path.of("src", "test", "java");

    private static final Pattern TEST =
            Pattern.compile("(?ms)^    @(Test|ParameterizedTest|RepeatedTest)\\b.*?^    }$");

    private static final Pattern CONSTANT =
            Pattern.compile("static final String (\\w+)\\s*=\\s*((?:\\w+ \\+ )?\"[^\"\\n]*\");");

    @Test
    void tableThenHasARowForEveryProperty() {
        Set<String> missing = PropertyMetadata.boundHere();
        missing.removeAll(rows().keySet());

        assertThat(missing)
                .as("Properties without a test of their effect. For each, write a test that sets it in a small context"
                        + " and observes what changes, and add a row with the property and the test to the table here")
                .isEmpty();
    }

    @Test
    void tableThenHasNoRowWithoutAProperty() {
        Set<String> unknown = new TreeSet<>(rows().keySet());
        unknown.removeAll(PropertyMetadata.properties().keySet());

        assertThat(unknown)
                .as("Rows of properties that there are not; correct the name, or remove the row")
                .isEmpty();
    }

    static Stream<Arguments> proofs() {
        return rows().entrySet().stream().map(row -> Arguments.of(row.getKey(), row.getValue()));
    }

    @ParameterizedTest
    @MethodSource("proofs")
    void rowThenNamesATestThatSetsTheProperty(String property, String proof) throws Exception {
        int method = proof.indexOf('#');
        Class<?> tests = Class.forName("io.credential.spring." + proof.substring(0, method));

        assertThat(Arrays.stream(tests.getDeclaredMethods())
                        .filter(candidate -> candidate.getName().equals(proof.substring(method + 1)))
                        .filter(PropertyEffectTests::isTest))
                .as("%s is a test", proof)
                .isNotEmpty();
        assertThat(sourceOf(tests, proof.substring(method + 1)))
                .as("%s sets %s", proof, property)
                .containsPattern(property.replace(".", "\\.").replaceAll("<\\w+>", "[a-z]+") + "(?![a-z-])");
    }

    private static boolean isTest(Method method) {
        return AnnotationSupport.isAnnotated(method, Test.class)
                || AnnotationSupport.isAnnotated(method, ParameterizedTest.class);
    }

    /** The source of a class without its other tests, and with the values of constants in place of their names. */
    private static String sourceOf(Class<?> type, String test) throws IOException {
        String source = TEST.matcher(
                        Files.readString(SOURCES.resolve(type.getName().replace('.', '/') + ".java")))
                .replaceAll(found ->
                        Matcher.quoteReplacement(found.group().contains(" " + test + "(") ? found.group() : ""));
        Map<String, String> constants = new TreeMap<>();
        CONSTANT.matcher(source)
                .results()
                .forEach(constant -> constants.put(constant.group(1) + " + ", constant.group(2) + " + "));
        for (int depth = 0; depth < 3; depth++) {
            for (Map.Entry<String, String> constant : constants.entrySet()) {
                source = source.replaceAll(
                        "\\b" + Pattern.quote(constant.getKey()), Matcher.quoteReplacement(constant.getValue()));
            }
        }
        return source.replaceAll("\"\\s*\\+\\s*\"", "");
    }

    private static Map<String, String> rows() {
        Map<String, String> rows = new TreeMap<>();
        TABLE.lines().filter(line -> !line.isBlank()).forEach(line -> {
            int bar = line.indexOf('|');
            String property = line.substring(0, bar).strip();
            assertThat(rows.put(property, line.substring(bar + 1).strip()))
                    .as("two rows of %s", property)
                    .isNull();
        });
        return rows;
    }
}
