package io.credential.spring.autoconfigure.event;

import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.TypeReference;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.javapoet.ClassName;

import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

import io.credential.spring.autoconfigure.Analyses;
import io.credential.spring.autoconfigure.StarterRunner;
import io.credential.spring.autoconfigure.event.broken.BrokenEvents;
import io.credential.spring.autoconfigure.event.shop.ShopEvents;
import io.credential.testing.DatabaseKind;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.Delivery;
import io.credential.webhook.delivery.EndpointRegistration;
import io.credential.webhook.delivery.WebhookDispatcher;
import io.credential.webhook.event.WebhookEvent;
import io.credential.webhook.event.WebhookEventCatalog;
import io.credential.webhook.event.WebhookEventType;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

class WebhookEventAutoConfigurationTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(WebhookEventAutoConfiguration.class));

    @WebhookEvent("library.event")
    record LibraryEvent(String id) {}

    @WebhookEvent("order.created")
    record SecondOrderCreated(String id) {}

    @Test
    void catalogThenContainsEventsOfThePackages() {
        runner.withUserConfiguration(ShopEvents.class)
                .run(context -> assertThat(names(context.getBean(WebhookEventCatalog.class)))
                        .containsExactly("order.created"));
    }

    @Test
    void catalogWhenNoPackagesThenIsEmpty() {
        runner.run(context ->
                assertThat(context.getBean(WebhookEventCatalog.class).types()).isEmpty());
    }

    @Test
    void catalogWhenNoEventsThenMappersMayBeAmbiguous() {
        runner.withBean("one", JsonMapper.class, () -> JsonMapper.builder().build())
                .withBean("two", JsonMapper.class, () -> JsonMapper.builder().build())
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void catalogThenWritesWithMapperOfApplication() {
        runner.withUserConfiguration(ShopEvents.class)
                .withBean(
                        JsonMapper.class,
                        () -> JsonMapper.builder()
                                .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
                                .build())
                .run(context -> {
                    WebhookEventCatalog catalog = context.getBean(WebhookEventCatalog.class);

                    assertThat(new String(catalog.write(ShopEvents.sample()), UTF_8))
                            .isEqualTo("{\"order_id\":\"4711\",\"customer\":{\"full_name\":\"Ada\"}}");
                    assertThat(catalog.jsonSchema("order.created")).contains("order_id", "full_name");
                });
    }

    @Test
    void customizerThenAddsEvents() {
        runner.withUserConfiguration(ShopEvents.class)
                .withBean(WebhookEventCatalogCustomizer.class, () -> builder -> builder.add(LibraryEvent.class))
                .run(context -> assertThat(names(context.getBean(WebhookEventCatalog.class)))
                        .containsExactly("library.event", "order.created"));
    }

    @Test
    void catalogWhenApplicationHasOneThenIsUsed() {
        WebhookEventCatalog own = WebhookEventCatalog.empty();
        runner.withUserConfiguration(ShopEvents.class)
                .withBean(WebhookEventCatalog.class, () -> own)
                .run(context -> {
                    assertThat(context.getBean(WebhookEventCatalog.class)).isSameAs(own);
                    assertThat(context).doesNotHaveBean(ScannedEvents.class);
                });
    }

    @Test
    void catalogWhenDispatcherIsDisabledThenIsAbsent() {
        runner.withPropertyValues(StarterRunner.NO_DISPATCHER)
                .run(context -> assertThat(context).doesNotHaveBean(WebhookEventCatalog.class));
    }

    @Test
    void startWhenEventIsNotARecordThenFails() {
        runner.withUserConfiguration(BrokenEvents.class)
                .withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                .run(context -> assertThat(Analyses.of(context).getDescription())
                        .contains(BrokenEvents.class.getName() + "$OrderCreated", "is not a record"));
    }

    @Test
    void startWhenNameIsTakenThenNamesBoth() {
        runner.withUserConfiguration(ShopEvents.class)
                .withBean(WebhookEventCatalogCustomizer.class, () -> builder -> builder.add(SecondOrderCreated.class))
                .run(context -> assertThat(Analyses.of(context).getDescription())
                        .contains("order.created", SecondOrderCreated.class.getName(), ShopEvents.class.getName()));
    }

    @Test
    void dispatcherThenSendsTypedEvents(@TempDir Path directory) {
        TestDatabase database = TestDatabase.create(DatabaseKind.SQLITE);
        try (database) {
            StarterRunner.on(database, directory)
                    .withConfiguration(AutoConfigurations.of(WebhookEventAutoConfiguration.class))
                    .withUserConfiguration(ShopEvents.class)
                    .withPropertyValues(
                            "credential.webhook.dispatcher.enabled=true",
                            "credential.webhook.dispatcher.allowed-cidrs=127.0.0.1")
                    .run(context -> {
                        WebhookDispatcher dispatcher = context.getBean(WebhookDispatcher.class);
                        dispatcher.registerEndpoint(EndpointRegistration.of(
                                "shop", "http://127.0.0.1:1/", "a secret of the tests, long enough", "order.created"));

                        assertThat(dispatcher.enqueue(ShopEvents.sample()).deliveries())
                                .extracting(Delivery::eventType)
                                .containsExactly("order.created");
                    });
        }
    }

    /** In a native image, Jackson finds the events and their parts by reflection. */
    @Test
    void processAheadOfTimeThenEventsHaveHints() {
        AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();
        context.register(ShopEvents.class, WebhookEventAutoConfiguration.class);
        DefaultGenerationContext generation = new DefaultGenerationContext(
                new ClassNameGenerator(ClassName.get("io.credential", "Shop")), new InMemoryGeneratedFiles());

        new ApplicationContextAotGenerator().processAheadOfTime(context, generation);

        String events = ShopEvents.class.getName();
        for (String type : List.of(events + "$OrderCreated", events + "$Customer")) {
            assertThat(RuntimeHintsPredicates.reflection().onType(TypeReference.of(type)))
                    .accepts(generation.getRuntimeHints());
        }
        context.close();
    }

    private static List<String> names(WebhookEventCatalog catalog) {
        return catalog.types().stream().map(WebhookEventType::name).toList();
    }
}
