package io.credential.spring.data;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ContextConsumer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.Version;
import org.springframework.data.domain.Page;
import org.springframework.data.domain.PageRequest;
import org.springframework.data.domain.Sort;
import org.springframework.data.jdbc.core.JdbcAggregateOperations;
import org.springframework.data.jdbc.repository.config.AbstractJdbcConfiguration;
import org.springframework.data.jdbc.repository.config.EnableJdbcRepositories;
import org.springframework.data.jdbc.repository.query.Query;
import org.springframework.data.relational.core.mapping.Column;
import org.springframework.data.relational.core.mapping.MappedCollection;
import org.springframework.data.relational.core.mapping.Table;
import org.springframework.data.relational.core.query.Criteria;
import org.springframework.data.repository.ListCrudRepository;
import org.springframework.data.repository.ListPagingAndSortingRepository;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcOperations;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.credential.seal.internal.Keyring;
import io.credential.spring.autoconfigure.StarterRunner;
import io.credential.testing.BothDatabases;
import io.credential.testing.TestDatabase;
import io.credential.webhook.delivery.EndpointRegistration;
import io.credential.webhook.delivery.WebhookDispatcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

@BothDatabases
class SpringDataJdbcTests {

    /** One for all tests, as they share their databases. */
    private static final Keyring KEYRING = Keyring.generate(new SecureRandom());

    private final TestDatabase database;

    @TempDir
    private Path directory;

    SpringDataJdbcTests(TestDatabase database) {
        this.database = database;
        execute("create table invoice (id varchar(36) not null primary key, customer_name varchar(100) not null,"
                + " paid boolean not null, issued_at bigint not null, version bigint not null)");
        execute("create table line (invoice varchar(36) not null references invoice (id),"
                + " product_name varchar(100) not null)");
    }

    @AfterEach
    void dropTables() {
        execute("drop table line");
        execute("drop table invoice");
    }

    @Test
    void saveThenFoundWithItsLines() {
        run(context -> {
            Invoices invoices = context.getBean(Invoices.class);

            Invoice saved = invoices.save(invoice("a", 1));

            assertThat(saved.version()).isZero();
            assertThat(invoices.findById("a")).contains(saved);
            assertThat(invoices.findById("b")).isEmpty();
        });
    }

    @Test
    void saveWhenChangedThenVersionRises() {
        run(context -> {
            Invoices invoices = context.getBean(Invoices.class);
            Invoice read = invoices.save(invoice("a", 1));

            Invoice paid = invoices.save(read.asPaid());

            assertThat(paid.version()).isEqualTo(1);
            assertThat(invoices.findById("a")).contains(paid);
            assertThatExceptionOfType(OptimisticLockingFailureException.class)
                    .isThrownBy(() -> invoices.save(read.asPaid()));
        });
    }

    @Test
    void queriesThenFindAndPage() {
        run(context -> {
            Invoices invoices = context.getBean(Invoices.class);
            for (int i = 0; i < 12; i++) {
                Invoice invoice = invoice("id-" + i, i);
                invoices.save(i % 2 == 0 ? invoice.asPaid() : invoice);
            }

            Page<Invoice> page = invoices.findAll(PageRequest.of(1, 5, Sort.by("issuedAt")));
            assertThat(page.getTotalElements()).isEqualTo(12);
            assertThat(page).extracting(Invoice::id).containsExactly("id-5", "id-6", "id-7", "id-8", "id-9");
            assertThat(invoices.findFirst2ByPaidOrderByIssuedAtDesc(true))
                    .extracting(Invoice::id)
                    .containsExactly("id-10", "id-8");
            assertThat(invoices.issuedAfter(9)).extracting(Invoice::id).containsExactly("id-10", "id-11");
            assertThat(context.getBean(JdbcAggregateOperations.class)
                            .findAll(
                                    org.springframework.data.relational.core.query.Query.query(
                                                    Criteria.where("paid").is(false))
                                            .sort(Sort.by("issuedAt"))
                                            .offset(4),
                                    Invoice.class))
                    .extracting(Invoice::id)
                    .containsExactly("id-9", "id-11");
            invoices.deleteById("id-3");
            assertThat(invoices.count()).isEqualTo(11);
        });
    }

    @Test
    void dispatchWhenRolledBackThenNeitherIsStored() {
        run(context -> {
            Invoices invoices = context.getBean(Invoices.class);
            WebhookDispatcher dispatcher = context.getBean(WebhookDispatcher.class);
            dispatcher.registerEndpoint(
                    EndpointRegistration.of("shop", "https://1.1.1.1/", "a secret of the endpoint", "*"));
            TransactionTemplate transaction =
                    new TransactionTemplate(context.getBean(PlatformTransactionManager.class));

            assertThatIllegalStateException()
                    .isThrownBy(() -> transaction.executeWithoutResult(status -> {
                        Invoice saved = invoices.save(invoice("a", 1));
                        assertThat(dispatcher
                                        .dispatch("invoice.issued", saved.customerName())
                                        .deliveries())
                                .hasSize(1);
                        throw new IllegalStateException("the transaction fails");
                    }));

            assertThat(invoices.count()).isZero();
            assertThat(database.database()
                            .jdbc()
                            .sql("select count(*) from _credential_webhook_events")
                            .query(Integer.class)
                            .single())
                    .isZero();
        });
    }

    @Test
    void startWithoutSpringDataThenUntouched() {
        runner().withClassLoader(new FilteredClassLoader("org.springframework.data"))
                .run(context -> assertThat(context).hasNotFailed());
    }

    private void run(ContextConsumer<AssertableApplicationContext> test) {
        runner().withPropertyValues("credential.webhook.dispatcher.enabled=true")
                .withUserConfiguration(SpringData.class)
                .run(test);
    }

    private ApplicationContextRunner runner() {
        return StarterRunner.on(database, directory).withBean(Keyring.class, () -> KEYRING);
    }

    private void execute(String sql) {
        database.database().jdbc().sql(sql).update();
    }

    private static Invoice invoice(String id, long issuedAt) {
        return new Invoice(id, "Ada", false, issuedAt, Set.of(new Line("kettle"), new Line("cup")), null);
    }

    /** What an application without Spring Boot's module writes. */
    @Configuration(proxyBeanMethods = false)
    @EnableJdbcRepositories(considerNestedRepositories = true)
    static class SpringData extends AbstractJdbcConfiguration {

        @Bean
        NamedParameterJdbcOperations operations(DataSource dataSource) {
            return new NamedParameterJdbcTemplate(dataSource);
        }
    }

    @Table("invoice")
    record Invoice(
            @Id String id,
            String customerName,
            boolean paid,
            long issuedAt,
            @MappedCollection(idColumn = "invoice") Set<Line> lines,
            @Version @Nullable Long version) {

        Invoice asPaid() {
            return new Invoice(id, customerName, true, issuedAt, lines, version);
        }
    }

    @Table("line")
    record Line(@Column("product_name") String product) {}

    interface Invoices extends ListCrudRepository<Invoice, String>, ListPagingAndSortingRepository<Invoice, String> {

        List<Invoice> findFirst2ByPaidOrderByIssuedAtDesc(boolean paid);

        @Query("select * from invoice where issued_at > :time order by issued_at")
        List<Invoice> issuedAfter(long time);
    }
}
