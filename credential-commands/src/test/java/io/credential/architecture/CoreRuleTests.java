package io.credential.architecture;

import java.util.Map;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;

import io.credential.architecture.planted.apikey.ComparesEarly;
import io.credential.architecture.planted.apikey.SeesWebhooks;
import io.credential.architecture.planted.apikey.WritesJson;
import io.credential.architecture.planted.apikey.internal.cache.ReadsItsValues;
import io.credential.architecture.planted.audit.AuditsThroughASeal;
import io.credential.architecture.planted.auditlog.ElectsItsWriter;
import io.credential.architecture.planted.copy.ElectsALeader;
import io.credential.architecture.planted.elsewhere.OutsideEveryPackage;
import io.credential.architecture.planted.elsewhere.StartsTheCopy;
import io.credential.architecture.planted.elsewhere.UsesAnotherFramework;
import io.credential.architecture.planted.internal.cluster.AuditsItsTerms;
import io.credential.architecture.planted.internal.cluster.CountsItsTerms;
import io.credential.architecture.planted.internal.cluster.ListensByItself;
import io.credential.architecture.planted.internal.concurrent.InheritsThreadLocals;
import io.credential.architecture.planted.internal.concurrent.RunsTheElection;
import io.credential.architecture.planted.internal.net.AsksForInterfaces;
import io.credential.architecture.planted.internal.notification.PublishesItsSeals;
import io.credential.architecture.planted.keyring.SignsWebhooks;
import io.credential.architecture.planted.observation.ObservesItsSeals;
import io.credential.architecture.planted.ratelimit.SealsItsBuckets;
import io.credential.architecture.planted.seal.ComparesText;
import io.credential.architecture.planted.seal.StoresItsCells;
import io.credential.architecture.planted.secret.AsksTheDatabase;
import io.credential.architecture.planted.storage.KnowsApiKeys;
import io.credential.architecture.planted.storage.OpensAFile;
import io.credential.architecture.planted.storage.internal.sqlite.AsksAboutKeys;
import io.credential.architecture.planted.webhook.SeesApiKeys;
import io.credential.architecture.planted.webhook.SendsByItself;
import io.credential.architecture.planted.webhook.delivery.AsksForALeader;
import io.credential.architecture.planted.webhook.delivery.internal.queue.RunsTheEngine;
import io.credential.architecture.planted.webhook.event.SignsItself;
import io.credential.architecture.planted.webhook.http.AuditsItsRequests;
import io.credential.architecture.planted.webhook.http.StoresItsRequests;
import io.credential.architecture.planted.webhook.http.internal.address.ReadsInterfaces;
import io.credential.architecture.planted.webhook.inbox.SendsItsAnswers;
import io.credential.architecture.planted.webhook.replay.SealsItsNonces;
import io.credential.architecture.planted.webhook.signature.StoresItsSignatures;
import io.credential.architecture.planted.webhook.signature.key.SeesSignatures;

import static org.assertj.core.api.Assertions.assertThat;

class CoreRuleTests {

    private static final String PLANTED_ROOT = "io.credential.architecture.planted";

    private static final JavaClasses PLANTED = new ClassFileImporter().importPackages(PLANTED_ROOT);

    private static final Map<CoreRule, Class<?>> OFFENDERS = Map.ofEntries(
            Map.entry(CoreRule.CONCURRENT_STANDS_ALONE, RunsTheElection.class),
            Map.entry(CoreRule.THREADS_ARE_CREATED_IN_ONE_PLACE, InheritsThreadLocals.class),
            Map.entry(CoreRule.NET_STANDS_ALONE, AsksForInterfaces.class),
            Map.entry(CoreRule.SECRET_STANDS_ALONE, AsksTheDatabase.class),
            Map.entry(CoreRule.SEAL_USES_SECRET, StoresItsCells.class),
            Map.entry(CoreRule.AUDIT_STANDS_ALONE, AuditsThroughASeal.class),
            Map.entry(CoreRule.OBSERVATION_STANDS_ALONE, ObservesItsSeals.class),
            Map.entry(CoreRule.AUDIT_LOG_USES_SEAL_AND_STORAGE, ElectsItsWriter.class),
            Map.entry(CoreRule.STORAGE_KNOWS_NO_FEATURE, KnowsApiKeys.class),
            Map.entry(CoreRule.SQLITE_DRIVER_STANDS_APART, AsksAboutKeys.class),
            Map.entry(CoreRule.SQLITE_DRIVER_ONLY_IN_ITS_PACKAGE, OpensAFile.class),
            Map.entry(CoreRule.KEYRING_JOINS_SEAL_AND_STORAGE, SignsWebhooks.class),
            Map.entry(CoreRule.NOTIFICATIONS_KNOW_NO_FEATURE, PublishesItsSeals.class),
            Map.entry(CoreRule.POSTGRESQL_DRIVER_ONLY_IN_STORAGE_AND_NOTIFICATIONS, ListensByItself.class),
            Map.entry(CoreRule.CACHES_USE_NOTIFICATIONS, ReadsItsValues.class),
            Map.entry(CoreRule.CLUSTER_USES_STORAGE, AuditsItsTerms.class),
            Map.entry(CoreRule.RATE_LIMITS_USE_STORAGE, SealsItsBuckets.class),
            Map.entry(CoreRule.BUCKET4J_ONLY_IN_RATE_LIMITS, CountsItsTerms.class),
            Map.entry(CoreRule.API_KEYS_USE_THE_LAYERS_BELOW, WritesJson.class),
            Map.entry(CoreRule.WEBHOOK_CODES_STAND_ALONE, SeesApiKeys.class),
            Map.entry(CoreRule.NONCES_USE_STORAGE, SealsItsNonces.class),
            Map.entry(CoreRule.SIGNATURES_USE_NONCES_AND_NO_DATABASE, StoresItsSignatures.class),
            Map.entry(CoreRule.SIGNATURE_KEYS_STAND_ALONE, SeesSignatures.class),
            Map.entry(CoreRule.SIGNATURE_KEYS_ONLY_IN_SIGNATURES, SignsWebhooks.class),
            Map.entry(CoreRule.INBOX_USES_SIGNATURES_AND_STORAGE, SendsItsAnswers.class),
            Map.entry(CoreRule.TYPED_EVENTS_STAND_ALONE, SignsItself.class),
            Map.entry(CoreRule.WEBHOOK_HTTP_USES_SIGNATURES, StoresItsRequests.class),
            Map.entry(CoreRule.WEBHOOK_HTTP_SIGNS_ONLY_IN_THE_SENDER, AuditsItsRequests.class),
            Map.entry(CoreRule.WEBHOOK_ADDRESSES_ARE_PURE, ReadsInterfaces.class),
            Map.entry(CoreRule.WEBHOOK_DELIVERY_USES_THE_LAYERS_BELOW_AND_NO_LEADER, AsksForALeader.class),
            Map.entry(CoreRule.WEBHOOK_DELIVERY_LEADS_ONE_WAY, RunsTheEngine.class),
            Map.entry(CoreRule.HTTP_CLIENT_ONLY_IN_WEBHOOK_HTTP, SendsByItself.class),
            Map.entry(CoreRule.COPY_USES_WHAT_IT_COPIES, ElectsALeader.class),
            Map.entry(CoreRule.COPY_IS_USED_BY_NOTHING, StartsTheCopy.class),
            Map.entry(CoreRule.API_KEYS_DO_NOT_SEE_WEBHOOKS, SeesWebhooks.class),
            Map.entry(CoreRule.WEBHOOKS_DO_NOT_SEE_API_KEYS, SeesApiKeys.class),
            Map.entry(CoreRule.NO_CYCLES, SeesApiKeys.class),
            Map.entry(CoreRule.ONLY_KNOWN_PACKAGES, OutsideEveryPackage.class),
            Map.entry(CoreRule.NO_FRAMEWORK_BUT_JDBC, UsesAnotherFramework.class),
            Map.entry(CoreRule.JSON_ONLY_WHERE_IT_IS_STORED, WritesJson.class),
            Map.entry(CoreRule.SECRETS_ARE_COMPARED_IN_CONSTANT_TIME, ComparesEarly.class),
            Map.entry(CoreRule.TEXT_IS_COMPARED_WHERE_IT_IS_PUBLIC, ComparesText.class));

    @ParameterizedTest
    @EnumSource
    void productionCodeThenKeepsRule(CoreRule rule) {
        rule.under("io.credential").check(PublishedClasses.ALL);
    }

    @ParameterizedTest
    @EnumSource
    void violationWhenPlantedThenFound(CoreRule rule) {
        assertThat(OFFENDERS).containsKey(rule);
        assertThat(rule.under(PLANTED_ROOT).evaluate(PLANTED).getFailureReport().getDetails())
                .anyMatch(detail -> detail.contains(OFFENDERS.get(rule).getName()));
    }
}
