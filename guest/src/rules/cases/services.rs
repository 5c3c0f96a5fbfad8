//! Databases, platforms and the running system.

use super::{assert_found, assert_silent};
use crate::model::Dialect;

#[test]
fn databases_are_judged_by_their_statements() {
    assert_found(
        Dialect::Bash,
        &[
            ("echo 'DROP TABLE x' | psql", "db.drop"),
            ("psql shop <<< 'TRUNCATE orders'", "db.drop"),
            ("mysql -uroot -pX -e 'drop database shop'", "db.drop"),
            ("redis-cli -n 2 flushdb", "db.drop"),
            ("redis-cli --scan | xargs redis-cli del", "db.unfiltered"),
            ("mongosh app --eval 'db.users.deleteMany({})'", "db.drop"),
            ("curl -XPOST http://x:9200/a/_delete_by_query", "db.drop"),
            ("bq query 'DELETE FROM d.t WHERE true'", "db.unfiltered"),
            ("sqlite3 app.db 'DELETE FROM t'", "db.unfiltered"),
            ("bundle exec rails db:reset", "db.migrate-reset"),
            ("npx prisma db push --force-reset", "db.migrate-reset"),
            ("php artisan migrate:fresh --seed", "db.migrate-reset"),
            ("python3 manage.py migrate app zero", "db.migrate-reset"),
            ("dotnet ef database drop", "db.migrate-reset"),
            ("bin/rails db:drop", "db.migrate-reset"),
            ("psql -c '\\! rm -rf src'", "fs.rm-recursive"),
            ("etcdctl del --prefix /", "db.drop"),
            ("echo flush_all | nc localhost 11211", "db.drop"),
        ],
    );
    assert_silent(
        Dialect::Bash,
        &[
            "psql -c 'SELECT 1' -f x.sql",
            "mongosh --eval 'db.users.deleteOne({a:1})'",
            "mongosh --eval 'print(\"db.dropDatabase()\")'",
            "redis-cli DEL key",
            "redis-cli SET x FLUSHALL",
            "curl -s http://x:9200/_cat/indices",
            "rails db:migrate",
            "pg_dump -c app",
            "mysql -e 'EXPLAIN DELETE FROM t'",
            "php artisan migrate --pretend",
            "alembic upgrade head",
            "vault kv list secret",
        ],
    );
}

#[test]
fn platforms_are_judged_by_verb_not_by_words() {
    assert_found(
        Dialect::Bash,
        &[
            ("docker rm $(docker ps -aq)", "container.remove"),
            ("docker container rm -f a", "container.remove"),
            ("docker image prune -a", "container.prune"),
            ("docker-compose -f a.yml down -v", "container.volume"),
            ("docker compose -p x down --volumes", "container.volume"),
            ("kubectl -n prod delete pod x", "k8s.delete"),
            ("kubectl scale deploy/x --replicas 0", "k8s.disrupt"),
            ("kubectl replace --force -f x.yml", "k8s.delete"),
            ("helm -n a delete web", "helm.uninstall"),
            ("terraform -chdir=x apply -destroy", "iac.destroy"),
            (
                "terraform apply -auto-approve -var x=1",
                "iac.unreviewed-apply",
            ),
            ("terragrunt run-all destroy", "iac.destroy"),
            ("pulumi up --yes", "iac.unreviewed-apply"),
            (
                "cdk deploy --require-approval never",
                "iac.unreviewed-apply",
            ),
            (
                "ansible all -m shell -a 'rm -rf /srv/app'",
                "fs.rm-recursive",
            ),
            ("aws ec2 stop-instances --instance-ids i-1", "cloud.aws"),
            (
                "aws --profile p rds delete-db-instance --db-instance-identifier x",
                "cloud.aws",
            ),
            ("gcloud compute instances delete vm -q", "cloud.gcp"),
            ("gcloud kms keys versions destroy 1", "cloud.gcp"),
            ("gsutil -m rm -r gs://b", "cloud.gcp"),
            ("az storage blob delete-batch -s c", "cloud.azure"),
            ("gh api --method DELETE /repos/o/r", "cloud.platform"),
            ("doctl compute droplet delete 1", "cloud.platform"),
            ("restic forget --keep-last 1 --prune", "cloud.platform"),
            ("curl --request DELETE https://x/y", "cloud.platform"),
            ("heroku run -a shop rake db:drop", "db.migrate-reset"),
        ],
    );
    assert_silent(
        Dialect::Bash,
        &[
            "docker run -it -v x:/y alpine sh",
            "docker rm stopped",
            "docker compose stop",
            "docker image prune",
            "docker run --name delete alpine true",
            "kubectl get pods -l app=delete",
            "kubectl scale deploy/x --replicas=3",
            "kubectl config delete-context x",
            "kubectl delete pod x --dry-run=server",
            "helm rollback web 2",
            "terraform apply",
            "terraform apply -auto-approve tfplan",
            "terraform workspace delete old",
            "aws s3 mv a s3://b",
            "aws iam remove-user-from-group --user-name u --group-name g",
            "aws s3 rm help",
            "gcloud config unset project",
            "gcloud compute ssh vm --command delete",
            "az group list --query delete",
            "gh pr create --title 'repo delete'",
            "gh release view delete",
            "heroku logs",
            "restic forget --dry-run --keep-last 1",
            "curl -X POST https://x/y -d a=DELETE",
        ],
    );
}

#[test]
fn the_system_is_judged_by_what_stops() {
    assert_found(
        Dialect::Bash,
        &[
            ("sudo reboot", "sys.power"),
            ("halt -p", "sys.power"),
            ("systemctl mask nginx", "sys.service"),
            ("service nginx stop", "sys.service"),
            ("nginx -s quit", "sys.service"),
            ("brew services stop postgresql", "sys.service"),
            ("kill -s KILL -- -1", "sys.kill"),
            ("kill $(pidof x)", "sys.kill"),
            ("pgrep x | xargs kill -9", "sys.kill"),
            ("pkill -f node", "sys.kill"),
            ("ip link set dev eth0 down", "sys.network"),
            ("iptables -A INPUT -j DROP", "sys.network"),
            ("ufw --force reset", "sys.network"),
            ("deluser bob", "sys.user"),
            ("crontab new.cron", "sys.cron"),
            ("apt-get autoremove --purge", "pkg.remove"),
            ("dnf -y remove httpd", "pkg.remove"),
            ("python3 -m twine upload dist/x", "pkg.publish"),
            ("pnpm -r publish", "pkg.publish"),
            ("mvn clean deploy", "pkg.publish"),
            ("mkfs -t ext4 /dev/sdb1", "disk.format"),
            ("printf 'd\\nw\\n' | fdisk /dev/sda", "disk.partition"),
            ("parted /dev/sda rm 1", "disk.partition"),
            ("sfdisk /dev/sda < layout", "disk.partition"),
            ("lvremove -y vg/lv", "disk.volume"),
            ("zpool create -f tank /dev/sdb", "disk.format"),
            ("chmod -R 000 .", "fs.perms"),
            ("chmod -R 777 ~", "fs.perms"),
            ("chown -R bob:bob /usr", "fs.perms"),
        ],
    );
    assert_silent(
        Dialect::Bash,
        &[
            "systemctl start nginx",
            "systemctl list-units --state=stop",
            "service nginx restart",
            "nginx -s reload",
            "kill -TERM 4321",
            "kill -0 -1",
            "pgrep -f node",
            "iptables -A INPUT -p tcp --dport 22 -j ACCEPT",
            "iptables -A INPUT -s 10.0.0.1 -j DROP",
            "ip link set eth0 up",
            "crontab -e",
            "apt-get update",
            "apt-get install -y remove-tool",
            "npm run publish-docs",
            "cargo publish --dry-run",
            "mkfs.ext4 disk.img",
            "parted -l",
            "fdisk -l",
            "chmod -R u+w src",
            "chmod 600 key.txt",
            "chown -R me .",
        ],
    );
}
