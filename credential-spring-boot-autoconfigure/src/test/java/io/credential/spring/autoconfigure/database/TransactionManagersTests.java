package io.credential.spring.autoconfigure.database;

import java.lang.reflect.Method;
import java.util.Optional;
import javax.sql.DataSource;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

import io.credential.spring.autoconfigure.WithoutLibraries;

import static org.assertj.core.api.Assertions.assertThat;

class TransactionManagersTests {

    private final DataSource ours = new DriverManagerDataSource();
    private final DataSource other = new DriverManagerDataSource();
    private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();

    private PlatformTransactionManager add(PlatformTransactionManager manager, boolean primary) {
        String name = "manager" + beans.getBeanDefinitionCount();
        RootBeanDefinition definition = new RootBeanDefinition(PlatformTransactionManager.class);
        definition.setPrimary(primary);
        beans.registerBeanDefinition(name, definition);
        // As an instance, so that it is not initialized: without JPA there is no EntityManagerFactory for it to find.
        beans.registerSingleton(name, manager);
        return manager;
    }

    private ObjectProvider<PlatformTransactionManager> all() {
        return beans.getBeanProvider(PlatformTransactionManager.class);
    }

    private JpaTransactionManager jpa(DataSource dataSource) {
        JpaTransactionManager manager = new JpaTransactionManager();
        manager.setDataSource(dataSource);
        return manager;
    }

    @Test
    void managingWhenPrimaryIsForAnotherThenPicksOurs() {
        add(new DataSourceTransactionManager(other), true);
        PlatformTransactionManager expected = add(new DataSourceTransactionManager(ours), false);
        assertThat(TransactionManagers.managing(ours, all())).containsSame(expected);
    }

    @Test
    void managingWhenJpaManagesOursThenIsTaken() {
        PlatformTransactionManager expected = add(jpa(ours), false);
        assertThat(TransactionManagers.managing(ours, all())).containsSame(expected);
    }

    @Test
    void managingWhenJpaManagesAnotherThenEmpty() {
        add(jpa(other), false);
        assertThat(TransactionManagers.managing(ours, all())).isEmpty();
    }

    @Test
    void managingWhenSeveralManageOursThenPicksPrimary() {
        add(new DataSourceTransactionManager(ours), false);
        PlatformTransactionManager expected = add(jpa(ours), true);
        assertThat(TransactionManagers.managing(ours, all())).containsSame(expected);
    }

    @Test
    void managingWhenSeveralAreEqualThenEmpty() {
        add(new DataSourceTransactionManager(ours), false);
        add(jpa(ours), false);
        assertThat(TransactionManagers.managing(ours, all())).isEmpty();
    }

    @Test
    void managingWhenThereIsNoManagerThenEmpty() {
        assertThat(TransactionManagers.managing(ours, all())).isEmpty();
    }

    @Test
    void managingWhenJpaIsAbsentThenStillWorks() throws Exception {
        PlatformTransactionManager expected = add(new DataSourceTransactionManager(ours), false);
        Method managing = new WithoutLibraries("org.springframework.orm.", "jakarta.persistence.")
                .loadClass(TransactionManagers.class.getName())
                .getDeclaredMethod("managing", DataSource.class, ObjectProvider.class);
        managing.setAccessible(true);
        assertThat(managing.invoke(null, ours, all())).isEqualTo(Optional.of(expected));
        assertThat(managing.invoke(null, other, all())).isEqualTo(Optional.empty());
    }
}
